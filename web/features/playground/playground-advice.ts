import { adviceFor } from '../../api/advice.ts'
import type { ApiError } from '../../api/client.ts'

interface PlaygroundAdvice {
  title: string
  next: string
  /** Where the remedy is. */
  place?: 'providers' | 'sign-in'
}

const nextByCode: Record<string, { next: string; place?: 'providers' }> = {
  no_provider_key: { next: 'Add a key of this provider; the conversation stays here.', place: 'providers' },
  model_not_found: {
    next: 'Choose another model, or add the provider that such names belong to.',
    place: 'providers',
  },
  provider_timeout: { next: 'The provider took too long. Try again, or choose a smaller model.' },
  rate_limit: { next: 'The provider’s limit is reached. Wait a minute and try again, or use another key.' },
}

const settingNames: Record<string, string> = {
  temperature: 'temperature',
  max_tokens: 'longest answer',
  max_completion_tokens: 'longest answer',
  reasoning_effort: 'reasoning',
}

/** What happened to a call, and what to do about it, here. */
export function playgroundAdvice(error: ApiError): PlaygroundAdvice {
  const known = nextByCode[error.code]
  if (known) return { title: error.message, ...known }
  if (error.status === 401) return { ...adviceFor(error), place: 'sign-in' }
  const setting = settingNames[error.param ?? '']
  if (setting !== undefined)
    return { title: error.message, next: `Change “${setting}” in the settings, or leave it empty.` }
  if (error.code === 'provider_error' && error.status === 502)
    return {
      title: error.message,
      next: 'Try again. If it stays so, see how the provider’s key stands.',
      place: 'providers',
    }
  if (error.code === 'provider_error' && error.status === 503)
    return { title: error.message, next: 'The provider is overloaded. Try again in a while.' }
  return adviceFor(error)
}
