import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { runCommand } from '#test/process'
import { waitFor } from '#test/wait'
import { startProduct } from '#test/product'
import { callTool, httpClient } from './clients.ts'

const it = await startProduct()
const { call, key, url } = it
const post = (json: unknown, more: object = {}) => call('/mcp', { key, json, ...more })

test('what is no message of the protocol is a JSON-RPC error with a 4xx', async () => {
  for (const json of [{}, [], 'text', 7, null, { jsonrpc: '1.0' }, { jsonrpc: '2.0', id: {}, method: 1 }]) {
    const { status, json: body } = await post(json)
    assert.equal(status, 400, JSON.stringify(json))
    assert.equal(body.jsonrpc, '2.0')
    assert.ok(body.error.code < 0)
  }
  const broken = await call('/mcp', { key, body: '{', headers: { 'content-type': 'application/json' } })
  assert.deepEqual([broken.status, broken.json.jsonrpc], [400, '2.0'])
})

test('a batch is refused, however long', async () => {
  const one = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const { status, json } = await post(Array.from({ length: 1_000 }, () => one))
  assert.equal(status, 400)
  assert.match(json.error.message, /Batches/)
})

test('wrong arguments are an error of the tool that names the field', async () => {
  const client = await httpClient(url, key)
  for (const [tool, input, field] of [
    ['platform_sql_execute', {}, /database/],
    [
      'platform_sql_execute',
      { database: 'application', sql: 'select 1', reason: 'x', dryrun: true },
      /dryrun/,
    ],
    ['platform_transcript', { id: '../../v1/keys' }, /id/],
    ['platform_tickets', { id: 'x' }, /id/],
    ['platform_tickets', { limit: 1e9 }, /limit/],
    ['platform_tickets', { status: 'no such status' }, /status/],
    ['platform_usage', { by: 'constructor' }, /by/],
    ['platform_search', { query: '' }, /query/],
  ] as const) {
    const { isError, text } = await callTool(client, tool, input)
    assert.equal(isError, true, tool)
    assert.match(text, field)
  }
})

test('a key in X-API-Key is used for the tools too, whatever Authorization holds', async () => {
  const json = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'platform_tickets', arguments: {} },
  }
  for (const authorization of ['Bearer sk-of-another-vendor', undefined]) {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ 'x-api-key': key, ...(authorization !== undefined && { authorization }) },
      },
      body: JSON.stringify(json),
    })
    const { result } = (await response.json()) as { result: { isError?: boolean } }
    assert.deepEqual([response.status, result.isError ?? false], [200, false])
  }
})

test('only an API key opens it: no session, no owner token, no revoked key', async () => {
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const owner = await call('/mcp', { json })
  assert.deepEqual([owner.status, owner.json.error.data.code], [401, 'invalid_api_key'])
  const made = (await call('/api/v1/keys', { json: { name: 'short-lived', scopes: ['read'] } })).json
  assert.equal((await call('/mcp', { key: made.key, json })).status, 200)
  assert.equal((await call(`/api/v1/keys/${made.id}`, { method: 'DELETE' })).status < 300, true)
  await waitFor(
    'the end of the key',
    async () => (await call('/mcp', { key: made.key, json })).status === 401,
  )
})

test('a client that is refused learns where to read how to sign in', async () => {
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  for (const given of [undefined, 'sb-nobody-knows-this-key', 'eyJhbGciOiJub25lIn0.e30.']) {
    const { status, headers } = await call('/mcp', { json, ...(given !== undefined && { key: given }) })
    const there = `${url}/.well-known/oauth-protected-resource/mcp`
    assert.deepEqual([status, headers.get('www-authenticate')], [401, `Bearer resource_metadata="${there}"`])
  }
  for (const path of ['', '/mcp']) {
    const { status, json: metadata } = await call(`/.well-known/oauth-protected-resource${path}`)
    assert.equal(status, 200)
    assert.deepEqual(metadata, {
      resource: `${url}/mcp`,
      resource_name: 'Signalbox',
      scopes_supported: ['read', 'sql', 'agents'],
      bearer_methods_supported: ['header'],
    })
  }
})

test('a host that is no name is not repeated in a header or the metadata', async () => {
  const { hostname, port } = new URL(url)
  for (const host of ['localhost"x', `localhost:${port}", evil="1`, 'user@localhost', 'localhost/evil'])
    for (const line of ['POST /mcp', 'GET /.well-known/oauth-protected-resource']) {
      const socket = connect(Number(port), hostname)
      socket.write(`${line} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      const response = await text(socket)
      assert.match(response, /^HTTP\/1\.1 (401|200) /)
      assert.match(response, /"http:\/\/localhost\/(\.well-known\/oauth-protected-resource\/)?mcp"/, host)
    }
})

test('names that every object has are no tools, and no session is kept or taken over', async () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const { status, json } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })
    assert.deepEqual([status, json.error.code], [200, -32_602], name)
  }
  const headers = { 'mcp-session-id': '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f' }
  const listed = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers })
  assert.equal(listed.status, 200)
  assert.equal(listed.headers.get('mcp-session-id'), null)
})

test('a page of another site is refused', async () => {
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const foreign = await post(json, { headers: { origin: 'https://elsewhere.example' } })
  assert.deepEqual([foreign.status, foreign.json.error.data.code], [403, 'forbidden'])
  assert.equal((await post(json, { headers: { origin: url } })).status, 200)
})

test('there is nothing to GET or DELETE, as the protocol wants it said', async () => {
  for (const method of ['GET', 'DELETE'])
    assert.equal((await call('/mcp', { key, method, headers: { accept: 'text/event-stream' } })).status, 405)
})

test('no stream stays open: a subscription is refused', async () => {
  const { status, json } = await post(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        },
      },
    },
    { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' } },
  )
  assert.equal(status, 200)
  assert.match(json.error.message, /limit/i)
})

test('signalbox mcp says what is wrong and never sends the key unencrypted to another machine', async () => {
  const run = (args: string[], environment: Record<string, string>) =>
    runCommand(['mcp', ...args], environment)
  assert.match((await run(['--to', url], {})).stderr, /SIGNALBOX_API_KEY/)
  const unknown = await run(['--to', url], { SIGNALBOX_API_KEY: 'sb-nobody-knows-this-key' })
  assert.match(unknown.stderr, /does not accept the API key/)
  assert.doesNotMatch(unknown.stderr, /sb-nobody/)
  const plain = await run(['--to', 'http://signalbox.example'], { SIGNALBOX_API_KEY: key })
  assert.match(plain.stderr, /must be an https address/)
  const nowhere = await run(['--to', 'http://127.0.0.1:1'], { SIGNALBOX_API_KEY: key })
  assert.match(nowhere.stderr, /no Signalbox server at/)
})
