import { reachable } from './reachable.ts'
import { selectedGroup } from './selected-group.ts'

/** An error response of the server: `{ error: { message, type, param, code } }`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly param: string | null

  constructor(status: number, code: string, message: string, param: string | null) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.param = param
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Calls the server in the selected group. Throws ApiError for an error response or when it cannot be reached. */
export async function call<Result>(method: Method, path: string, body?: unknown): Promise<Result> {
  const headers: Record<string, string> = { accept: 'application/json' }
  const group = selectedGroup.get()
  if (group !== null && path.startsWith('/api/')) headers['x-group-id'] = group
  if (body !== undefined) headers['content-type'] = 'application/json'
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(path, request).catch(() => {
    reachable.set(false)
    throw new ApiError(0, 'unreachable', 'Can’t reach Signalbox.', null)
  })
  reachable.set(true)
  if (response.status === 204) return undefined as Result
  const received: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(response.status, received)
  return received as Result
}

interface ErrorBody {
  message?: string
  code?: string
  error?: { message?: string; code?: string; param?: string | null }
}

function errorOf(status: number, received: unknown): ApiError {
  const body = (received ?? {}) as ErrorBody
  const { message, code, param } = { param: null, ...body, ...body.error }
  return new ApiError(status, code ?? 'unknown', message ?? `The server returned ${status}.`, param)
}
