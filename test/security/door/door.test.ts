import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetsIn, writeWith } from '../fuzz/body.ts'
import { operationFor, paramsOf, urlOf, validRequest, type ValidRequest } from '../requests.ts'
import { resourcesFor } from '../resources.ts'
import type { Route } from '../route-list.ts'
import { send, startAudited } from '../server.ts'

/** Made from the list of routes, so that a new route is held to the same rules. */
const server = await startAudited()
const routes = [...server.routes].filter(([, { forPages, config }]) => !forPages && config.needs !== 'page')

const credentials = ({ config }: Route): Record<string, string> =>
  config.keyOnly || config.needs === 'anyone'
    ? { authorization: `Bearer ${server.key}` }
    : { 'x-owner-token': server.first.localOwnerToken?.reveal() ?? '' }

/** For requests that never get as far as the route's own work. */
const anyIds = ({ template }: Route): Record<string, string> =>
  Object.fromEntries(
    paramsOf(template).map((name) => [
      name,
      name === 'use' ? 'agents' : 'ffffffff-ffff-4fff-bfff-ffffffffffff',
    ]),
  )

test('a query parameter that a route does not declare returns 400 and is named', async () => {
  const strict = routes.filter(([, { config }]) => !config.keyOnly && config.anyQuery === undefined)
  assert.ok(strict.length > 150, `${strict.length} routes`)
  const findings: string[] = []
  for (const [key, route] of strict) {
    const valid = validRequest(server.document, route, anyIds(route))
    const { status, text } = await send(
      server.url,
      { ...valid, query: { ...valid.query, no_such_parameter: '1' } },
      credentials(route),
    )
    if (status !== 400 || !text.includes('no_such_parameter'))
      findings.push(`${key}: ${status} ${text.slice(0, 120)}`)
  }
  assert.deepEqual(findings, [])
})

/** The routes of ours that take a JSON object, each with a request that it accepts. */
const withFields = [...server.routes].flatMap(([key, route]) => {
  const valid = validRequest(server.document, route, anyIds(route))
  const { body, contentType } = valid
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const isOurs = !route.config.keyOnly && route.config.anyFields === undefined
  return isOurs && isObject && !route.forPages && contentType === 'application/json'
    ? [{ key, route, valid, body }]
    : []
})

test('a field that the body of a route does not have returns 400 and is named', async () => {
  assert.ok(withFields.length > 60, `${withFields.length} routes`)
  const findings: string[] = []
  for (const { key, route, valid, body } of withFields) {
    const request = { ...valid, body: { ...body, no_such_field: 1 } }
    const { status, text } = await send(server.url, request, credentials(route))
    if (status !== 400 || !text.includes('no_such_field'))
      findings.push(`${key}: ${status} ${text.slice(0, 120)}`)
  }
  assert.deepEqual(findings, [])
})

const days = ['0000-01-01', '0001-01-01', '9999-12-31']
const moments = days.flatMap((day) => [day, `${day}T23:59:59Z`, `${day}T00:00:00+14:00`])
const isDateName = (name: unknown): boolean =>
  /(^|_)(at|date|day|since|until|from|to|before|after)$/.test(String(name))

/** The request with one of its dates replaced, for every date that it may have. */
function withDates(route: Route, valid: ValidRequest): [string, ValidRequest][] {
  const operation = operationFor(server.document, route)
  const query = (operation?.parameters ?? []).filter((each) => each.in === 'query' && isDateName(each.name))
  const schema = operation?.requestBody?.content['application/json']?.schema
  const targets = schema
    ? targetsIn(server.document, schema).filter((target) => isDateName(target.at(-1)))
    : []
  return moments.flatMap((moment) => [
    ...query.map(({ name }): [string, ValidRequest] => [
      `${name}=${moment}`,
      { ...valid, query: { ...valid.query, [name]: moment } },
    ]),
    ...targets.map((target): [string, ValidRequest] => {
      const body: unknown = JSON.parse(writeWith(valid.body, target, JSON.stringify(moment)))
      return [`${target.join('.')}: ${moment}`, { ...valid, body }]
    }),
  ])
}

test('the first and the last year that can be written are dates or 400, never an error of ours', async () => {
  const findings: string[] = []
  let asked = 0
  for (const [key, route] of routes) {
    const changed = withDates(route, validRequest(server.document, route, await resourcesFor(server, route)))
    for (const [what, request] of changed) {
      const { status, text } = await send(server.url, request, credentials(route))
      asked += 1
      if (status >= 500) findings.push(`${key} ${what}: ${status} ${text.slice(0, 120)}`)
    }
  }
  assert.ok(asked > 200, `${asked} requests`)
  assert.deepEqual(findings, [])
})

test('a request without authentication gets 401 with WWW-Authenticate', async () => {
  const findings: string[] = []
  let refused = 0
  for (const [key, route] of routes) {
    const valid = validRequest(server.document, route, anyIds(route))
    const response = await fetch(`${server.url}${urlOf(valid)}`, {
      method: valid.method,
      headers: { authorization: 'Bearer sb-unknown', accept: 'application/json' },
      redirect: 'manual',
    })
    await response.body?.cancel()
    if (response.status !== 401) continue
    refused += 1
    if (!response.headers.get('www-authenticate')?.startsWith('Bearer')) findings.push(key)
  }
  assert.ok(refused > 150, `${refused} routes`)
  assert.deepEqual(findings, [])
})
