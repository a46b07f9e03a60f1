import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { z } from 'zod'
import { startProduct } from '#test/product'

const product = await startProduct()
const { call, key } = product

test('an unknown route answers 404 with the error object', async () => {
  const { status, json, headers } = await call('/api/v1/nothing-here')
  assert.equal(status, 404)
  assert.deepEqual(json, {
    error: {
      message: 'Route not found: GET /api/v1/nothing-here.',
      type: 'invalid_request_error',
      param: null,
      code: 'not_found',
    },
  })
  assert.match(headers.get('x-request-id') ?? '', /^req_[0-9a-f]{32}$/)
})

test('neither the error nor the log repeats what was pasted into an unknown path', async () => {
  const { json } = await call('/v1/chat/completions/Tr0ub4dor&3/x')
  assert.equal(json.error.message, 'Route not found: GET /v1/chat/completions/…/x.')
  const { status } = await call('/api/v1/keys/Tr0ub4dor&3', { method: 'DELETE' })
  assert.equal(status, 400)
  assert.ok(product.logged().includes('"path":"/v1/chat/completions/…/x"'))
  assert.ok(product.logged().includes('"path":"/api/v1/keys/:id"'))
  assert.ok(!product.logged().includes('Tr0ub4dor'))
})

test('two Host headers return 400, whatever the route', async () => {
  for (const path of ['/livez', '/api/v1/me', '/v1/models', '/no-such-page']) {
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nConnection: close\r\n\r\n`)
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    await once(socket, 'close')
    assert.match(received, /^HTTP\/1\.1 400 /, path)
    assert.match(received, /more than one Host header/)
  }
})

test('a DELETE with a JSON content type and no body works', async () => {
  const { json } = await call('/api/v1/keys', { json: { name: 'short-lived' } })
  const headers = { 'content-type': 'application/json' }
  assert.equal((await call(`/api/v1/keys/${json.id}`, { method: 'DELETE', headers })).status, 204)
  const again = await call('/api/auth/sign-out-everywhere', { method: 'POST', headers })
  assert.equal(again.status, 204)
  // Where a body is needed, none is still a mistake.
  assert.equal((await call('/api/v1/keys', { method: 'POST', headers })).status, 400)
})

test('a known route with a wrong method answers 405 and says which are allowed', async () => {
  const { status, json, headers } = await call('/api/v1/keys', { method: 'PUT', json: {} })
  assert.equal(status, 405)
  assert.equal(headers.get('allow'), 'GET, HEAD, POST')
  assert.equal(json.error.code, 'method_not_allowed')
  assert.equal(
    (await call('/api/v1/keys/0190b3a0-0000-7000-8000-000000000000', { method: 'POST', json: {} })).status,
    405,
  )
})

test('malformed JSON answers 400 with what is wrong', async () => {
  const { status, json } = await call('/api/v1/keys', {
    body: '{"name": ',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(status, 400)
  assert.equal(json.error.code, 'invalid_request')
  assert.match(json.error.message, /^The body is not valid JSON/)
})

test('a body that is not UTF-8 is refused, not repaired', async () => {
  const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
  const { status, json } = await call('/api/v1/keys', {
    body,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(status, 400)
  assert.equal(json.error.message, 'The body is not valid UTF-8.')
})

test('a body of 33 MiB answers 413', async () => {
  const { status, json } = await call('/api/v1/keys', { json: { name: 'x'.repeat(33 * 1024 * 1024) } })
  assert.equal(status, 413)
  assert.equal(json.error.code, 'request_too_large')
})

test('an unknown content type answers 415', async () => {
  const { status, json } = await call('/api/v1/keys', {
    body: '<key/>',
    headers: { 'content-type': 'application/xml' },
  })
  assert.equal(status, 415)
  assert.equal(json.error.code, 'unsupported_media_type')
})

test('a wrong field is named', async () => {
  const wrong = await call('/api/v1/keys', { json: { name: '', scopes: ['fly'] } })
  assert.equal(wrong.status, 400)
  assert.equal(wrong.json.error.param, 'name')
  const query = await call('/api/v1/keys?group_id=not-a-uuid')
  assert.equal(query.status, 400)
  assert.equal(query.json.error.param, 'group_id')
})

test('a field that does not exist is named, also inside another one', async () => {
  const refused = async (json: object): Promise<unknown[]> => {
    const { status, json: body } = await call('/api/agents', { method: 'POST', json })
    return [status, body.error.param, body.error.message]
  }
  const agent = { id: 'named', name: 'Named', model: 'gpt-6-sol' }
  assert.deepEqual(await refused({ ...agent, colour: 'red' }), [
    ...[400, 'colour', '"colour" is not valid: there is no such field.'],
  ])
  assert.deepEqual(await refused({ ...agent, config: { colour: 'red' } }), [
    ...[400, 'config.colour', '"config.colour" is not valid: there is no such field.'],
  ])
})

test('a wrong choice is answered with the first 20 that there are, and how many more', () => {
  const names = Array.from({ length: 23 }, (_, number) => `choice-${number + 1}`)
  const kinds = names.map((name) => z.object({ kind: z.literal(name) }))
  const messageOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message
  const shown = `must be one of ${names.slice(0, 20).join(', ')} and 3 more`
  assert.equal(messageOf(z.enum(names), 'x'), shown)
  assert.equal(messageOf(z.discriminatedUnion('kind', kinds as never), { kind: 'x' }), shown)
  assert.equal(messageOf(z.enum(names.slice(0, 20)), 'x'), `must be one of ${names.slice(0, 20).join(', ')}`)
})

test('a name that the client chose is shown up to a length', async () => {
  const { status, json, text } = await call('/api/v1/keys', {
    json: { name: 'x', scopes: ['read'], provider_key_overrides: { ['x'.repeat(100_000)]: 7 } },
  })
  assert.equal(status, 400)
  assert.match(json.error.param, /^provider_key_overrides\.x+$/)
  assert.ok(text.length < 1_000)
})

test('a wrong value is explained in plain words', async () => {
  const refused = async (path: string, json: object): Promise<string> =>
    (await call(path, { method: 'POST', json })).json.error.message
  const reasons: [string, object, string][] = [
    ['/api/tickets', {}, '"title" is not valid: it is required and must be a string.'],
    ['/api/tickets', { title: 7 }, '"title" is not valid: must be a string.'],
    [
      '/api/tickets',
      { title: 'x', status: 'lost' },
      '"status" is not valid: must be one of open, in_progress, done, cancelled.',
    ],
    ['/api/tickets', { title: 'x', initiative_id: '7' }, '"initiative_id" is not valid: must be a UUID.'],
    [
      '/api/v1/sql/execute',
      { database: 'application', sql: 'select 1', reason: 'x', max_rows: 10_001 },
      '"max_rows" is not valid: must be at most 10000.',
    ],
    [
      '/api/v1/sql/execute',
      { database: 'application', sql: '', reason: 'x' },
      '"sql" is not valid: must not be empty.',
    ],
    [
      '/api/v1/sql/migrate',
      { database: 'application', name: 'x', statements: [], reason: 'x' },
      '"statements" is not valid: must have at least 1 item.',
    ],
  ]
  for (const [path, json, message] of reasons) assert.equal(await refused(path, json), message)
  const limit = await call('/api/console/events?limit=x')
  assert.equal(limit.json.error.message, '"limit" is not valid: must be a whole number from 1 to 1000.')
})

test('prototype poisoning is refused', async () => {
  for (const member of ['"__proto__":{"admin":true}', '"constructor":{"prototype":{"admin":true}}']) {
    const { status, json } = await call('/api/v1/keys', {
      body: `{"name":"x",${member}}`,
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(status, 400)
    assert.match(json.error.message, /^The body has a member with a name that is not allowed/)
  }
})

test('bytes that are not HTTP, a broken address and huge headers get an answer, not a hang', async () => {
  assert.match(await raw('hello\r\n\r\n'), /^HTTP\/1\.1 400 .*This is not a valid HTTP request/s)
  assert.match(
    await raw('GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1\.1 400 .*invalid_request/s,
  )
  assert.match(
    await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`),
    /^HTTP\/1\.1 431 /,
  )
})

test('an address that is too long gets a status that the API document names', async () => {
  const words = encodeURIComponent('😀'.repeat(900))
  const { status, json } = await call(`/api/console/stats?service=${words}&source=${words}`)
  assert.deepEqual([status, json.error.code], [431, 'invalid_request'])
  const { paths } = (await call('/openapi.json')).json
  assert.ok(status in paths['/api/console/stats'].get.responses)
})

async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
  socket.write(text)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  await once(socket, 'close')
  return answer
}

test('an inner failure shows the request id and nothing else', async () => {
  const pool = await import('pg')
  const client = new pool.default.Client({
    ...(product.target as { address: object }).address,
    database: (product.target as { database: string }).database,
  })
  await client.connect()
  await client.query('alter table access.api_keys rename column name to hidden_column_name')
  const { status, json, headers } = await call('/api/v1/keys')
  await client.query('alter table access.api_keys rename column hidden_column_name to name')
  await client.end()
  assert.equal(status, 500)
  assert.equal(json.error.code, 'internal_error')
  assert.equal(
    json.error.message,
    `Internal server error. Include the request ID ${headers.get('x-request-id')} when you report it.`,
  )
  assert.match(product.logged(), /column .*name.* does not exist/)
})

test('every answer carries the security headers', async () => {
  for (const path of ['/', '/livez', '/api/v1/nothing', '/openapi.json']) {
    const { headers } = await call(path)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /script-src 'self';.*frame-ancestors 'none'/,
      path,
    )
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
})

test('the API document lists every route with its schema', async () => {
  const { json } = await call('/openapi.json')
  assert.equal(json.openapi, '3.1.0')
  const create = json.paths['/api/v1/keys'].post
  assert.deepEqual(create.requestBody.content['application/json'].schema.required, ['name'])
  assert.ok(create.responses['201'])
  assert.deepEqual(create.security, [{ apiKey: [] }, { session: [] }, { ownerToken: [] }])
  assert.deepEqual(json.paths['/v1/models'].get.security, [{ apiKey: [] }, { apiKeyHeader: [] }])
  assert.deepEqual(json.paths['/livez'].get.security, [])
  assert.ok(json.paths['/api/v1/groups/{id}/members/{user_id}'].patch)
})

test('the process shows its state to anyone, and its numbers to anyone who may read', async () => {
  assert.deepEqual((await call('/livez')).json, { status: 'alive' })
  assert.deepEqual((await call('/readyz')).json, { status: 'ready', database: 'ok' })
  const metrics = await call('/metrics', { key })
  assert.equal(metrics.status, 200)
  assert.match(
    metrics.text,
    /signalbox_http_request_seconds_count\{method="GET",route="\/livez",status="200"\}/,
  )
  assert.match(metrics.text, /process_resident_memory_bytes/)
})

test('a value that no column can hold returns 400 without the words of the database', async () => {
  for (const path of ['/api/v1/logs?start_date=0000-01-01', '/api/v1/logs?end_date=9999-12-31T23:59:59Z']) {
    const { status, text } = await call(path)
    assert.ok(status === 200 || status === 400, `${path}: ${status}`)
    assert.doesNotMatch(text, /select|postgres|at .*\.ts:/i)
  }
})
