import type { ErrorSpec } from '../reply.ts'
import { Refused, jsonBody } from '../provider-api.ts'
import type { Outgoing } from '../provider-api.ts'

const kinds: Record<number, [status: string, message: string]> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'Requested entity was not found.'],
  409: ['ABORTED', 'The operation was aborted.'],
  413: ['INVALID_ARGUMENT', 'Request payload size exceeds the limit: 104857600 bytes.'],
  429: ['RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.'],
  499: ['CANCELLED', 'The operation was cancelled.'],
  500: [
    'INTERNAL',
    'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  ],
  501: ['UNIMPLEMENTED', 'Operation is not implemented, or supported, or enabled.'],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  504: ['DEADLINE_EXCEEDED', 'The request timed out. Please try again.'],
  529: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
}

/** Google has no rate-limit headers: the details say how long to wait. */
export function geminiError(error: ErrorSpec) {
  const [status, message] = kinds[error.status] ?? ['UNKNOWN', 'Unknown error.']
  const retryAfter = error.retryAfter ?? (error.status === 429 ? 7 : undefined)
  const details: unknown[] = []
  if (error.status === 429) {
    details.push({
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [
        {
          quotaMetric: 'generativelanguage.googleapis.com/generate_content_requests',
          quotaId: 'GenerateRequestsPerMinutePerProjectPerModel',
        },
      ],
    })
  }
  if (retryAfter !== undefined) {
    details.push({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` })
  }
  return {
    code: error.status,
    message: error.message ?? message,
    status: error.type ?? status,
    ...(details.length === 0 ? {} : { details }),
  }
}

export function fault(error: ErrorSpec): Outgoing {
  return geminiJson(error.status, { error: geminiError(error) })
}

export function geminiJson(status: number, value: unknown): Outgoing {
  return jsonBody(status, value, { 'content-type': 'application/json; charset=UTF-8' }, 2)
}

export function refuse(message: string, status = 400, details?: unknown[]): never {
  const error = { ...geminiError({ status, message }), ...(details === undefined ? {} : { details }) }
  throw new Refused(message, geminiJson(status, { error }))
}

/** How protocol buffers say that a field is not theirs. */
export function refuseField(name: string, at: string): never {
  const place = at === '' ? '' : ` at '${at}'`
  const description = `Invalid JSON payload received. Unknown name "${name}"${place}: Cannot find field.`
  refuse(description, 400, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: at, description }] },
  ])
}

export function refuseKey(): never {
  refuse('API key not valid. Please pass a valid API key.', 400, [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
    {
      '@type': 'type.googleapis.com/google.rpc.LocalizedMessage',
      locale: 'en-US',
      message: 'API key not valid. Please pass a valid API key.',
    },
  ])
}
