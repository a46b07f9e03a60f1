import type { ApiDocument } from '#kernel/http'
import type { Route } from './route-list.ts'

type Operation = ApiDocument['paths'][string][string]

/** A valid request of a route, made from the examples of the API document. */
export interface ValidRequest {
  method: string
  template: string
  path: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
  /** The value of a JSON body, or the fields of a form. */
  body: unknown
  contentType: string | undefined
}

/** Where the example alone is refused to somebody who may call the route. */
const adjusted: Readonly<Record<string, { query?: Record<string, string>; body?: unknown }>> = {
  // With scopes, a key would have to have them.
  createApiKey: { body: { name: 'audit' } },
  updateApiKey: { body: { name: 'audit' } },
  // Refused before anything is hashed; with the right password, other sessions would end.
  changePassword: { body: { currentPassword: 'x', newPassword: 'short' } },
  // The models of the example belong to nobody.
  createRoute: { body: { name: 'audit', targets: [{ model: 'gpt-6-sol' }] } },
  // The name of another account.
  updateProviderAccount: { body: { account_phone: null } },
  // Needs what the schema cannot demand: both dates, near each other.
  getUsageByHour: { query: { start_date: '2026-03-05', end_date: '2026-03-05' } },
}

/** Routes that the document leaves out are variants of one that it shows, with the same operation ID. */
export function operationFor(document: ApiDocument, route: Route): Operation | undefined {
  const own = document.paths[route.template]?.[route.method.toLowerCase()]
  if (own || route.operationId === undefined) return own
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === route.operationId)
}

export function validRequest(
  document: ApiDocument,
  route: Route,
  path: Record<string, string>,
): ValidRequest {
  const operation = operationFor(document, route)
  const [contentType, media] = preferred(operation)
  const instead = adjusted[route.operationId ?? ''] ?? {}
  return {
    method: route.method,
    template: route.template,
    path,
    query: { ...requiredIn(operation, 'query'), ...instead.query },
    headers: {
      accept: route.forPages ? 'text/html' : 'application/json',
      ...requiredIn(operation, 'header'),
    },
    body: instead.body ?? media?.example ?? Object.values(media?.examples ?? {})[0]?.value,
    contentType,
  }
}

export const paramsOf = (template: string): string[] =>
  [...template.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? '')

export function urlOf({ template, path, query }: ValidRequest): string {
  const filled = template.replaceAll(/\{([^}]*)\}/g, (_whole, name: string) =>
    encodeURIComponent(path[name] ?? '').replaceAll('%2F', '/'),
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** The body as it is sent, with its content type; FormData brings its own. */
export function bodyOf({ body, contentType }: ValidRequest): { body?: string | FormData; type?: string } {
  if (contentType === undefined) return {}
  if (contentType === 'multipart/form-data') return { body: formOf(body as Record<string, unknown>) }
  return { body: JSON.stringify(body), type: 'application/json' }
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (name !== 'file') form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  form.set('file', new Blob([new Uint8Array(3_200)]), String(fields['file']))
  return form
}

function preferred(operation: Operation | undefined) {
  const types = Object.entries(operation?.requestBody?.content ?? {})
  return types.find(([type]) => type === 'application/json') ?? types[0] ?? [undefined, undefined]
}

function requiredIn(operation: Operation | undefined, place: string): Record<string, string> {
  const needed = (operation?.parameters ?? []).filter((each) => each.in === place && each.required)
  return Object.fromEntries(needed.map(({ name, example }) => [name, String(example)]))
}
