import { APICallError, RetryError } from 'ai'

/** Why a run failed, in a word for programs and a sentence for people. */
export class RunFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface Failure {
  code: string
  message: string
}

export function failureOf(error: unknown): Failure {
  if (error instanceof RunFailure) return { code: error.code, message: error.message }
  if (RetryError.isInstance(error)) return failureOf(error.lastError)
  if (APICallError.isInstance(error)) return ofGateway(error)
  const message = error instanceof Error ? error.message : messageIn(error)
  return { code: 'provider_error', message: `The model did not answer: ${message.slice(0, 2_000)}` }
}

/** The gateway's own error, with its code: a missing key, an unknown model, a provider that failed. */
function ofGateway(error: {
  responseBody?: string | undefined
  statusCode?: number | undefined
  message: string
}): Failure {
  try {
    const { error: found } = JSON.parse(error.responseBody ?? '') as { error: Partial<Failure> }
    if (typeof found.code === 'string' && typeof found.message === 'string')
      return { code: found.code, message: found.message }
  } catch {
    // Not a body of the gateway.
  }
  const status = error.statusCode === undefined ? '' : ` (status ${error.statusCode})`
  return { code: 'provider_error', message: `The gateway did not answer${status}: ${error.message}` }
}

/** Errors inside a stream are plain objects. */
function messageIn(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : JSON.stringify(error ?? null)
}
