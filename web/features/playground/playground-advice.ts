import { adviceFor } from '../../api/advice.ts'
import type { ApiError } from '../../api/client.ts'

interface PlaygroundAdvice {
  title: string
  next: string
  /** Where it can be fixed. */
  place?: 'providers' | 'limits' | 'sign-in'
}

const nextByCode: Record<string, { next: string; place?: 'providers' | 'limits' }> = {
  no_provider_key: { next: 'Add a key for this provider. The conversation stays here.', place: 'providers' },
  model_not_found: {
    next: 'Choose another model, or add a provider for this name.',
    place: 'providers',
  },
  provider_timeout: { next: 'The provider took too long. Try again, or choose a smaller model.' },
  budget_exceeded: {
    next: 'Nothing was sent to the provider. The conversation stays here.',
    place: 'limits',
  },
  limit_exceeded: { next: 'Nothing was sent to the provider. The conversation stays here.', place: 'limits' },
  rate_limit: {
    next: 'The provider’s rate limit is reached. Wait a minute and try again, or use another key.',
  },
}

const settingNames: Record<string, string> = {
  temperature: 'temperature',
  max_tokens: 'max tokens',
  max_completion_tokens: 'max tokens',
  reasoning_effort: 'reasoning',
}

/** What went wrong with a request and what to do about it in the playground. */
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
      next: 'Try again. If it keeps failing, check the provider’s key.',
      place: 'providers',
    }
  if (error.code === 'provider_error' && error.status === 503)
    return { title: error.message, next: 'The provider is overloaded. Try again later.' }
  return adviceFor(error)
}
