import type { ApiDocument } from '#kernel/http'
import { operationFor, paramsOf, type ValidRequest } from '../requests.ts'
import type { Route } from '../route-list.ts'
import { targetsIn, writeWith, type Target } from './body.ts'
import { hostileHeader, hostileJson, hostileUrl } from './values.ts'

/** One hostile value at one place of one valid request. */
export interface Case {
  key: string
  /** The place and the value, for the report. */
  what: string
  place: string
  make(valid: ValidRequest): RawRequest
}

/** As it is sent: nothing is escaped or checked any more. */
export interface RawRequest {
  method: string
  url: string
  headers: Record<string, string | string[]>
  body: string | undefined
}

export function casesOf(document: ApiDocument, key: string, route: Route): Case[] {
  const operation = operationFor(document, route)
  const parameters = operation?.parameters ?? []
  const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const headers = parameters.filter((each) => each.in === 'header').map(({ name }) => name)
  const schema = operation?.requestBody?.content['application/json']?.schema
  return [
    ...paramsOf(route.template).flatMap((name) =>
      each(
        hostileUrl,
        key,
        `path ${name}`,
        (value) => (valid) => withUrl(valid, { path: { [name]: value } }),
      ),
    ),
    ...[...query, 'unknown_parameter'].flatMap((name) => [
      ...each(
        hostileUrl,
        key,
        `query ${name}`,
        (value) => (valid) => withUrl(valid, { query: [`${name}=${value}`] }),
      ),
      ...each(repeated(name), key, `query ${name}`, (value) => (valid) => withUrl(valid, { query: [value] })),
    ]),
    ...[...headers, 'accept', 'x-request-id'].flatMap((name) =>
      each({ ...hostileHeader }, key, `header ${name}`, (value) => (valid) => withHeader(valid, name, value)),
    ),
    ...headers.map((name) => ({
      key,
      what: `header ${name}: twice`,
      place: `header ${name}`,
      make: (valid: ValidRequest) => withHeader(valid, name, ['a', 'b']),
    })),
    ...(schema ? bodyCases(key, targetsIn(document, schema)) : []),
  ]
}

function bodyCases(key: string, targets: Target[]): Case[] {
  return [
    {
      key,
      what: 'body: none, and no content type',
      place: 'body (whole)',
      make: (valid) => ({ ...withUrl(valid, {}), headers: valid.headers, body: undefined }),
    },
    ...targets.flatMap((target) =>
      each(
        hostileJson,
        key,
        `body ${target.join('.') || '(whole)'}`,
        (value) => (valid) => withBody(valid, writeWith(valid.body, target, value)),
      ),
    ),
    ...each(brokenBodies, key, 'body (bytes)', (value) => (valid) => withBody(valid, value)),
    ...each(otherTypes, key, 'content type', (value) => (valid) => ({
      ...withBody(valid, JSON.stringify(valid.body)),
      headers: { ...valid.headers, 'content-type': value },
    })),
  ]
}

function each(
  values: Readonly<Record<string, string>>,
  key: string,
  place: string,
  make: (value: string) => Case['make'],
): Case[] {
  return Object.entries(values).map(([name, value]) => ({
    key,
    place,
    what: `${place}: ${name}`,
    make: make(value),
  }))
}

const repeated = (name: string): Record<string, string> => ({
  twice: `${name}=1&${name}=2`,
  'as an array': `${name}[]=1`,
  'as an object': `${name}[a]=1`,
  'many times': Array.from({ length: 300 }, () => `${name}=1`).join('&'),
})

const brokenBodies: Readonly<Record<string, string>> = {
  empty: '',
  half: '{"a":',
  'two values': '{}{}',
  'NUL bytes': '\u0000\u0000',
  'not UTF-8': '{"a":"\u00ff\u00fe"}',
  'byte order mark': '\u00ef\u00bb\u00bf{}',
  'a comment': '{/* */}',
}

const otherTypes: Readonly<Record<string, string>> = {
  none: '',
  XML: 'application/xml',
  form: 'application/x-www-form-urlencoded',
  'form with parts': 'multipart/form-data; boundary=x',
  'not a type': ';;;',
  'another charset': 'application/json; charset=utf-16',
  long: `application/json; x=${'y'.repeat(4_000)}`,
}

function withUrl(
  valid: ValidRequest,
  { path = {}, query = [] }: { path?: Record<string, string>; query?: string[] },
): RawRequest {
  const filled = valid.template.replaceAll(
    /\{([^}]*)\}/g,
    (_whole, name: string) => path[name] ?? encodeURIComponent(valid.path[name] ?? ''),
  )
  const names = query.map((pair) => pair.split(/[=[]/)[0])
  const rest = Object.entries(valid.query).filter(([name]) => !names.includes(name))
  const search = [...rest.map(([name, value]) => `${name}=${encodeURIComponent(value)}`), ...query].join('&')
  const body = valid.contentType === 'application/json' ? JSON.stringify(valid.body) : undefined
  return {
    method: valid.method,
    url: search === '' ? filled : `${filled}?${search}`,
    headers: { ...valid.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body,
  }
}

function withHeader(valid: ValidRequest, name: string, value: string | string[]): RawRequest {
  const raw = withUrl(valid, {})
  return { ...raw, headers: { ...raw.headers, [name.toLowerCase()]: value } }
}

const withBody = (valid: ValidRequest, body: string): RawRequest => ({
  ...withUrl(valid, {}),
  headers: { ...valid.headers, 'content-type': 'application/json' },
  body,
})
