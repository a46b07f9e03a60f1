import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { startProduct } from '#test/product'

const local = await startProduct()
const strict = await startProduct({ AUTH: 'required' })

const ownerToken = local.first.localOwnerToken?.reveal() ?? ''

/** As the local owner, with these headers; fetch forbids setting Host and Origin, so they go by hand. */
const askAsOwner = (path: string, headers: Record<string, string>, method = 'GET') =>
  ask(local.url, path, { 'x-owner-token': ownerToken, ...headers }, method)

async function ask(
  url: string,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; code: string; message: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}${path}`,
      { method, headers: { connection: 'close', ...headers } },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => {
          const error = text.startsWith('{')
            ? (JSON.parse(text) as { error?: { code: string; message: string } }).error
            : undefined
          resolve({
            status: response.statusCode ?? 0,
            code: error?.code ?? '',
            message: error?.message ?? '',
          })
        })
      },
    )
    call.on('error', reject)
    call.end(method === 'POST' ? '{"name":"planted"}' : undefined)
  })
}

const port = new URL(local.url).port
const json = { 'content-type': 'application/json' }

test('on loopback the owner token makes the local owner, by every loopback name', async () => {
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'localhost']) {
    assert.equal((await askAsOwner('/api/v1/me', { host })).status, 200, host)
  }
})

test('without the owner token, or with a wrong one, nobody is the local owner', async () => {
  const wrong = `${ownerToken.slice(0, -1)}${ownerToken.endsWith('A') ? 'B' : 'A'}`
  const cookie = `signalbox_owner_${port}=`
  for (const headers of [
    {},
    { 'x-owner-token': '' },
    { 'x-owner-token': wrong },
    { cookie: `${cookie}${wrong}` },
    { cookie: `other=${ownerToken}` },
    { cookie: `signalbox_owner_1=${ownerToken}` },
  ]) {
    const answer = await ask(local.url, '/api/v1/me', headers as Record<string, string>)
    assert.deepEqual([answer.status, answer.code], [401, 'not_authenticated'], JSON.stringify(headers))
    assert.match(answer.message, /Open the link .* npx signalbox open/)
  }
  assert.equal((await ask(local.url, '/api/v1/me', { cookie: `a=b; ${cookie}${ownerToken}` })).status, 200)
})

test('the link of the terminal sets a strict cookie and leads to the page without the token', async () => {
  const opened = await fetch(`${local.url}/?token=${ownerToken}`, { redirect: 'manual' })
  assert.deepEqual([opened.status, opened.headers.get('location')], [303, '/'])
  assert.equal(opened.headers.get('cache-control'), 'no-store')
  assert.deepEqual(opened.headers.getSetCookie(), [
    `signalbox_owner_${port}=${ownerToken}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict`,
  ])
  assert.ok(!local.logged().includes(ownerToken), 'the token is not logged')
  const leadsTo = async (more: string): Promise<string | null> => {
    const { headers } = await fetch(`${local.url}/?token=${ownerToken}&${more}`, { redirect: 'manual' })
    return headers.get('location')
  }
  const group = 'group_id=0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'
  assert.equal(await leadsTo(group), `/?${group}`)
  for (const other of ['group_id=//example.com', `${group}&${group}`, 'next=/logs'])
    assert.equal(await leadsTo(other), '/', other)
})

test('the link sets no cookie with a wrong token, through a proxy, from another origin, or where sign-in is required', async () => {
  const cookiesOf = async (url: string, headers: Record<string, string>): Promise<string[]> => {
    const opened = await fetch(url, { redirect: 'manual', headers })
    assert.equal(opened.headers.get('location'), '/')
    return opened.headers.getSetCookie()
  }
  assert.deepEqual(await cookiesOf(`${local.url}/?token=guess`, {}), [])
  assert.deepEqual(await cookiesOf(`${local.url}/?token=${ownerToken}`, { 'x-real-ip': '203.0.113.9' }), [])
  assert.deepEqual(
    await cookiesOf(`${local.url}/?token=${ownerToken}`, { origin: 'https://evil.example' }),
    [],
  )
  assert.deepEqual(await cookiesOf(`${strict.url}/?token=${ownerToken}`, {}), [])
})

test('the owner token is a private file of the data directory, and means nothing where sign-in is required', async () => {
  const file = join(local.config.DATA_DIR, 'owner.token')
  assert.equal(readFileSync(file, 'utf8').trim(), ownerToken)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!existsSync(join(strict.config.DATA_DIR, 'owner.token')))
  assert.equal((await ask(strict.url, '/api/v1/me', { 'x-owner-token': ownerToken })).status, 401)
})

test('a foreign Host is refused everywhere, pages included (DNS rebinding)', async () => {
  for (const path of [
    '/api/v1/me',
    '/api/v1/keys',
    '/',
    '/openapi.json',
    '/api/auth/options',
    '/some-page',
  ]) {
    const answer = await askAsOwner(path, { host: `evil.example:${port}` })
    assert.equal(answer.status, 403, path)
    assert.match(answer.message, /loopback names/)
  }
  assert.equal((await askAsOwner('/api/v1/me', { host: `127.0.0.1.evil.example:${port}` })).status, 403)
})

test('a foreign Origin is refused, and nothing is made', async () => {
  for (const origin of [
    'https://evil.example',
    `http://localhost:${Number(port) + 1}`,
    'null',
    `https://127.0.0.1:${port}`,
  ]) {
    const read = await askAsOwner('/api/v1/me', { origin })
    assert.equal(read.status, 403, origin)
    const write = await askAsOwner('/api/v1/keys', { origin, ...json }, 'POST')
    assert.equal(write.status, 403, origin)
    assert.match(write.message, /another site/)
  }
  const { json: keys } = await local.call('/api/v1/keys')
  assert.ok(!JSON.stringify(keys).includes('planted'))
})

test('the same origin may change things', async () => {
  const origin = `http://127.0.0.1:${port}`
  assert.equal((await askAsOwner('/api/v1/keys', { origin, ...json }, 'POST')).status, 201)
})

test('a fetch that the browser marks as coming from elsewhere is refused even without an Origin', async () => {
  const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
  assert.equal((await askAsOwner('/api/v1/me', foreign)).status, 403)
  const sibling = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }
  assert.equal((await askAsOwner('/api/v1/me', sibling)).status, 403)
})

test('a request that came through a proxy is never the local owner', async () => {
  const names = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
  for (const name of names) {
    const answer = await askAsOwner('/api/v1/me', { [name]: '127.0.0.1' })
    assert.equal(answer.status, 401, name)
    assert.equal(answer.code, 'not_authenticated')
  }
})

test('nginx 1.29.7 with nothing but proxy_pass is not the local owner', async () => {
  // HTTP/1.1, the upstream's own Host, a kept connection and no header added: only the token tells it apart.
  const socket = connect(Number(port), '127.0.0.1')
  const head = `Host: 127.0.0.1:${port}\r\nUser-Agent: curl/8.18.0\r\nAccept: */*\r\n`
  socket.write(`GET /api/v1/me HTTP/1.1\r\n${head}\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  assert.match(answer.toString(), /^HTTP\/1\.1 401 .*not_authenticated/s)
})

test('HTTP/1.0, which nginx speaks by default, is never the local owner', async () => {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET /api/v1/me HTTP/1.0\r\nHost: localhost\r\nX-Owner-Token: ${ownerToken}\r\n\r\n`)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(socket, 'close')
  assert.match(text, /^HTTP\/1\.1 401 .*not_authenticated/s)
})

test('an API key works under any Host, for clients behind names of their own', async () => {
  assert.equal(
    (await ask(local.url, '/api/v1/me', { host: 'signalbox.internal', authorization: `Bearer ${local.key}` }))
      .status,
    200,
  )
})

test('with AUTH=required nobody comes in without a key or a session', async () => {
  assert.deepEqual(await ask(strict.url, '/api/v1/me', {}), {
    status: 401,
    code: 'not_authenticated',
    message: 'Sign in, or send an API key: Authorization: Bearer sb-….',
  })
  assert.equal((await ask(strict.url, '/openapi.json', {})).status, 401)
  assert.equal((await ask(strict.url, '/metrics', {})).status, 401)
  assert.equal((await ask(strict.url, '/livez', {})).status, 200)
  assert.equal((await ask(strict.url, '/readyz', {})).status, 200)
})

test('a key without a needed scope is refused with 403 that names the scope', async () => {
  const { json: made } = await local.call('/api/v1/keys', { json: { name: 'narrow', scopes: ['gateway'] } })
  const { status, json: answer } = await local.call('/metrics', { key: made.key })
  assert.equal(status, 403)
  assert.equal(answer.error.code, 'forbidden')
  assert.match(answer.error.message, /"narrow" does not have the scope "read"/)
})

test('what is for people is refused to a key, even one with every scope', async () => {
  for (const [path, body] of [
    ['/api/v1/welcome', {}],
    ['/api/v1/groups', { json: { name: 'Made by a key' } }],
  ] as const) {
    const { status, json: answer } = await local.call(path, { key: local.key, ...body })
    assert.deepEqual([status, answer.error.code], [403, 'forbidden'], path)
  }
})

test('a group that cannot be meant is refused by name, also where another one takes precedence', async () => {
  const { groupId } = local.first
  for (const [path, headers, param] of [
    ['/api/v1/keys', { 'x-group-id': 'mine' }, 'X-Group-ID'],
    [`/api/v1/keys?group_id=${groupId}`, { 'x-group-id': '' }, 'X-Group-ID'],
    ['/api/v1/keys?group_id=mine', { 'x-group-id': groupId }, 'group_id'],
    [`/api/v1/keys?group_id=${groupId}&group_id=${groupId}`, {}, 'group_id'],
  ] as const) {
    const { status, json: answer } = await local.call(path, { headers })
    assert.deepEqual([status, answer.error?.param], [400, param], path)
  }
  assert.equal((await local.call(`/api/v1/keys?group_id=${groupId}`)).status, 200)
})
