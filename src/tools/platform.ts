import type { Scope } from '#kernel/auth'

/** A request to one of the routes of Signalbox. */
export interface PlatformRequest {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  signal?: AbortSignal | undefined
}

export interface PlatformResponse {
  status: number
  /** Undefined where it is not JSON. */
  body: unknown
}

/**
 * Signalbox as one API key sees it. The tools have no other way to it, so that what they may do is decided where it is
 * decided for every client.
 */
export interface Platform {
  /** Where people open its pages, without a slash at the end. */
  address: string
  scopes: ReadonlySet<Scope>
  call(request: PlatformRequest): Promise<PlatformResponse>
}

export type QueryValue = string | number | undefined

/** A path with a query of what is given. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search.toString()}`
}
