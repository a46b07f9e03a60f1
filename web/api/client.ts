import { reachable } from './reachable.ts'
import type { Routes } from './routes.ts'
import { selectedGroup } from './selected-group.ts'

/** An error response of the server: `{ error: { message, type, param, code } }`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly param: string | null
  /** Of a statement that PostgreSQL refused: which character of it, from 0. */
  readonly position: number | null

  constructor(
    status: number,
    code: string,
    message: string,
    param: string | null,
    position: number | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.param = param
    this.position = position
  }
}

export type Method = keyof Routes
export type Path<M extends Method> = keyof Routes[M] & string
export type Response<M extends Method, P extends Path<M>> = Routes[M][P] extends { response: infer R }
  ? R
  : never

/** The names between braces in a path. */
type Names<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
/** One segment of a path, or several. */
type Segments = string | readonly string[]
type Values<P extends string> = [Names<P>] extends [never] ? object : { path: Record<Names<P>, Segments> }
interface Group {
  /** The group to act in, where it is not the selected one. */
  group_id?: string | undefined
}
type Query<R> = [R] extends [{ query: infer Q extends object }]
  ? object extends Q
    ? { query?: (Q & Group) | undefined }
    : { query: Q & Group }
  : { query?: Group | undefined }
type Body<R> = [R] extends [{ body: infer B }] ? { body: B } : object

/** What a route asks for: the values of its path, its query and its body. */
export type Given<M extends Method, P extends Path<M>> = Values<P> & Query<Routes[M][P]> & Body<Routes[M][P]>
export type Arguments<Needed> = object extends Needed ? [given?: Needed] : [given: Needed]

/** As the types see it, and as it is sent. */
interface Parts {
  path?: Record<string, Segments>
  query?: object | undefined
  body?: unknown
}

/** Calls the server in the selected group. Throws ApiError for an error response or when it cannot be reached. */
export async function call<M extends Method, P extends Path<M>>(
  method: M,
  path: P,
  ...[given]: Arguments<Given<M, P>>
): Promise<Response<M, P>> {
  const parts: Parts = given ?? {}
  const { body } = parts
  const headers: Record<string, string> = { accept: 'application/json' }
  const group = selectedGroup.get()
  if (group !== null && path.startsWith('/api/')) headers['x-group-id'] = group
  if (body !== undefined) headers['content-type'] = 'application/json'
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(address(path, parts), request).catch(() => {
    reachable.set(false)
    throw new ApiError(0, 'unreachable', 'Can’t reach Signalbox.', null)
  })
  reachable.set(true)
  if (response.status === 204) return undefined as Response<M, P>
  const received: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(response.status, received)
  return received as Response<M, P>
}

/** Where a route can be read, as a link. */
export const addressOf = <P extends Path<'GET'>>(path: P, given: Given<'GET', P>): string =>
  address(path, given)

function address(template: string, { path = {}, query = {} }: Parts): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    [path[name] ?? ''].flat().map(encodeURIComponent).join('/'),
  )
  const text = queryText(query)
  return text === '' ? filled : `${filled}?${text}`
}

/** The text of a query; a list is given once for each value, and what is undefined is left out. */
export function queryText(query: object): string {
  const given = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) =>
      each === undefined ? [] : [[name, String(each)]],
    ),
  )
  return new URLSearchParams(given).toString()
}

interface ErrorBody {
  message?: string
  code?: string
  error?: { message?: string; code?: string; param?: string | null; position?: number | null }
}

export function errorOf(status: number, received: unknown): ApiError {
  const body = (received ?? {}) as ErrorBody
  const { message, code, param, position } = { param: null, position: null, ...body, ...body.error }
  return new ApiError(status, code ?? 'unknown', message ?? `The server returned ${status}.`, param, position)
}
