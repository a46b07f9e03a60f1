/**
 * A fault has two texts: `message` may be shown to the caller, `internal` goes to the log only.
 * Anything thrown that is not a Fault reaches the caller as `internal_error` without detail.
 */
export class Fault extends Error {
  readonly status: number
  readonly code: string
  readonly type: string
  readonly param: string | null
  readonly internal: string | undefined
  readonly headers: Record<string, string>
  readonly upstream: UpstreamFields | undefined
  /** For clients that read more than the code; only some error formats have a place for it. */
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** The limit of the group that is reached. */
  readonly limit: LimitFields | undefined

  constructor(kind: FaultKind, message: string, more: FaultDetail = {}) {
    super(message, { cause: more.cause })
    this.name = 'Fault'
    this.status = more.status ?? kind.status
    this.code = more.code ?? kind.code
    this.type = kind.type
    this.param = more.param ?? null
    this.internal = more.internal
    this.headers = more.headers ?? {}
    this.upstream = more.upstream
    this.details = more.details
    this.limit = more.limit
  }

  body(): ErrorBody {
    const { message, type, param, code, upstream, limit } = this
    return { error: { message, type, param, code, ...(upstream && { upstream }), ...(limit && { limit }) } }
  }
}

/** A fault of one field of a request. Path and reason are kept apart, so that the field can be renamed. */
export class FieldFault extends Fault {
  readonly path: string
  readonly reason: Reason

  constructor(kind: FaultKind, path: string, reason: Reason, more: Omit<FaultDetail, 'param'> = {}) {
    super(kind, sentence(path, reason), { ...more, param: path })
    this.path = path
    this.reason = reason
  }

  /** The same fault for a client that knows the fields by other names. */
  renamed(rename: (path: string) => string): FieldFault {
    const { status, code, internal, headers, cause } = this
    const reason =
      typeof this.reason === 'string'
        ? this.reason
        : this.reason.map((part) => (typeof part === 'string' ? part : { path: rename(part.path) }))
    return new FieldFault(this, rename(this.path), reason, {
      status,
      code,
      headers,
      cause,
      ...(internal === undefined ? {} : { internal }),
    })
  }
}

/** Why a field is refused, without the field: "must be a string". Other fields in it are named as `{ path }`. */
export type Reason = string | readonly (string | { readonly path: string })[]

function sentence(path: string, reason: Reason): string {
  const parts = typeof reason === 'string' ? [reason] : reason
  const text = parts.map((part) => (typeof part === 'string' ? part : part.path)).join('')
  return `${path} ${text}${text.endsWith('.') ? '' : '.'}`
}

export interface FaultKind {
  readonly status: number
  readonly code: string
  readonly type: string
}

/** What another server said of the error, beside our own code. */
export interface UpstreamFields {
  readonly status: number
  readonly type: string | null
  readonly code: string | null
  readonly param: string | null
  readonly details: unknown
}

/** A limit that a group has set, as an error names it. */
export interface LimitFields {
  readonly id: string
  readonly subject: { readonly type: string; readonly id: string | null }
  readonly metric: string
  /** Dollars as decimal text, or a whole number. */
  readonly amount: string | number
  readonly used: string | number
  readonly resets_at: string | null
}

interface FaultDetail {
  param?: string | null
  status?: number
  code?: string
  internal?: string
  headers?: Record<string, string>
  cause?: unknown
  upstream?: UpstreamFields | undefined
  details?: Readonly<Record<string, unknown>> | undefined
  limit?: LimitFields | undefined
}

export interface ErrorBody {
  error: {
    message: string
    type: string
    param: string | null
    code: string
    upstream?: UpstreamFields
    limit?: LimitFields
  }
}

/** Every error code a response can carry; features add none of their own. */
export const faults = {
  invalidRequest: { status: 400, code: 'invalid_request', type: 'invalid_request_error' },
  noProviderKey: { status: 400, code: 'no_provider_key', type: 'configuration_error' },
  previousResponseNotFound: {
    status: 400,
    code: 'previous_response_not_found',
    type: 'invalid_request_error',
  },
  websocketLimit: {
    status: 400,
    code: 'websocket_connection_limit_reached',
    type: 'invalid_request_error',
  },
  sqlError: { status: 400, code: 'sql_error', type: 'invalid_request_error' },
  invalidApiKey: { status: 401, code: 'invalid_api_key', type: 'authentication_error' },
  notAuthenticated: { status: 401, code: 'not_authenticated', type: 'authentication_error' },
  forbidden: { status: 403, code: 'forbidden', type: 'permission_error' },
  modelNotAllowed: { status: 403, code: 'model_not_allowed', type: 'permission_error' },
  policyViolation: { status: 403, code: 'policy_violation', type: 'policy_error' },
  modelNotFound: { status: 404, code: 'model_not_found', type: 'invalid_request_error' },
  notFound: { status: 404, code: 'not_found', type: 'invalid_request_error' },
  methodNotAllowed: { status: 405, code: 'method_not_allowed', type: 'invalid_request_error' },
  requestTimeout: { status: 408, code: 'request_timeout', type: 'invalid_request_error' },
  conflict: { status: 409, code: 'conflict', type: 'invalid_request_error' },
  requestTooLarge: { status: 413, code: 'request_too_large', type: 'invalid_request_error' },
  unsupportedMediaType: { status: 415, code: 'unsupported_media_type', type: 'invalid_request_error' },
  rateLimit: { status: 429, code: 'rate_limit', type: 'rate_limit_error' },
  limitExceeded: { status: 429, code: 'limit_exceeded', type: 'rate_limit_error' },
  budgetExceeded: { status: 429, code: 'budget_exceeded', type: 'rate_limit_error' },
  internal: { status: 500, code: 'internal_error', type: 'server_error' },
  provider: { status: 502, code: 'provider_error', type: 'provider_error' },
  unavailable: { status: 503, code: 'unavailable', type: 'server_error' },
  providerTimeout: { status: 504, code: 'provider_timeout', type: 'provider_error' },
} as const satisfies Record<string, FaultKind>

export function notFound(what: string): Fault {
  return new Fault(faults.notFound, `${what} was not found.`)
}

export function invalid(message: string, param: string | null = null): Fault {
  return new Fault(faults.invalidRequest, message, { param })
}

/** Refuses a field: `invalidField('stream', 'must be true or false')`. */
export function invalidField(path: string, reason: Reason): FieldFault {
  return new FieldFault(faults.invalidRequest, path, reason)
}

/** A problem the operator must fix before the program can start: printed as one line, without a stack. */
export class StartFault extends Error {
  override readonly name = 'StartFault'
}

export function messageOf(error: unknown): string {
  // A connection refused on several addresses arrives as an AggregateError with an empty message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  if (error instanceof Error) return error.message
  // Some libraries throw objects that only look like errors.
  const message = (error as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : String(error)
}
