import { selectedGroup } from './selected-group.ts'

/** What the server answers when it refuses: `{ error: { message, type, param, code } }`. */
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

/** Calls the server in the selected group. Throws ApiError when it refuses or cannot be reached. */
export async function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json' }
  const group = selectedGroup.get()
  if (group !== null && path.startsWith('/api/v1/')) headers['x-group-id'] = group
  if (body !== undefined) headers['content-type'] = 'application/json'
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(path, request).catch(() => {
    throw new ApiError(0, 'unreachable', 'Signalbox does not answer.', null)
  })
  if (response.status === 204) return undefined as Answer
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw refusal(response.status, answer)
  return answer as Answer
}

interface ErrorAnswer {
  message?: string
  code?: string
  error?: { message?: string; code?: string; param?: string | null }
}

function refusal(status: number, answer: unknown): ApiError {
  const body = (answer ?? {}) as ErrorAnswer
  const { message, code, param } = { param: null, ...body, ...body.error }
  return new ApiError(status, code ?? 'unknown', message ?? `The server answered ${status}.`, param)
}
