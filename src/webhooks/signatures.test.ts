import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, databaseOf } from '#test/database'
import { startProduct } from '#test/product'
import { processorMs } from '#test/time'
import { hookKinds } from './contract.ts'
import { readClaim } from './signatures.ts'
import { createHook, hmac, send, sendFromGitHub, sendGeneric } from './testing-hooks.ts'

const product = await startProduct()
const { call } = product

test('a secret is shown once, stored encrypted, and an empty one is refused', async () => {
  const given = await createHook(product, 'github', { secret: 'a-secret-of-mine' })
  assert.equal(given.secret, 'a-secret-of-mine')
  const generated = await createHook(product, 'gitlab')
  assert.match(generated.secret, /^whsec_[\w-]{32}$/)
  const list = await call('/api/webhooks')
  assert.equal(list.status, 200)
  assert.doesNotMatch(list.text, /a-secret-of-mine|whsec_/)
  assert.doesNotMatch(product.logged(), /a-secret-of-mine|whsec_/)
  for (const secret of ['', '        ', 'short', 'line\nbreak-in-it', ' space-before']) {
    const { status, json } = await call('/api/webhooks', { json: { kind: 'github', name: 'x', secret } })
    assert.equal(status, 400, JSON.stringify(secret))
    assert.equal(json.error.param, 'secret')
    const change = await call(`/api/webhooks/${given.id}`, { method: 'PATCH', json: { secret } })
    assert.equal(change.status, 400)
  }
})

test('a missing or wrong signature is refused before anything is stored', async () => {
  const hook = await createHook(product, 'github')
  const body = '{"zen":"Keep it simple"}'
  const refused = [
    {},
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': 'sha256=' },
    { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
    { 'x-hub-signature-256': `sha256=${hmac('', body)}` },
    { 'x-hub-signature-256': `sha256=${hmac(hook.secret, `${body} `)}` },
    { 'x-hub-signature-256': hmac(hook.secret, body) },
    { 'x-hub-signature': `sha1=${'0'.repeat(40)}` },
  ]
  for (const headers of refused)
    for (const bySignature of [true, false]) {
      const { status, json } = await send(product, hook, body, { headers, bySignature })
      assert.equal(status, 401, JSON.stringify(headers))
      assert.equal(json.error.code, 'not_authenticated')
    }
  assert.deepEqual((await call(`/api/webhooks/deliveries?hook_id=${hook.id}`)).json, {
    data: [],
    next_cursor: null,
  })
})

test('a webhook that does not exist looks like a wrong secret', async () => {
  const body = '{}'
  const headers = { 'x-hub-signature-256': `sha256=${hmac('any-secret', body)}` }
  const id = '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'
  assert.equal((await send(product, { kind: 'github', id }, body, { headers })).status, 401)
  const gitlab = await createHook(product, 'gitlab')
  const ofOther = await send(product, { kind: 'github', id: gitlab.id }, body, { headers })
  assert.equal(ofOther.status, 401)
})

test('an ID in the address that is no UUID looks like a wrong secret, for every kind', async () => {
  const signature = '0'.repeat(64)
  const headers = {
    authorization: 'Bearer any-secret',
    'x-hub-signature-256': `sha256=${signature}`,
    'x-gitlab-token': 'any-secret',
    'x-signalbox-timestamp': String(Math.floor(Date.now() / 1_000)),
    'x-signalbox-signature': `sha256=${signature}`,
  }
  const { id: known } = await createHook(product, 'grafana')
  for (const kind of hookKinds)
    for (const id of ['x', '0', 'null', '%2F', 'a%2Fb', `${known}%2F`, `%7B${known}%7D`, '%F0%9F%98%80']) {
      const { status, json } = await send(product, { kind, id }, '{}', { headers })
      assert.deepEqual([status, json.error.code], [401, 'not_authenticated'], `${kind} ${id}`)
    }
})

test('a header of nothing but spaces is refused at once', async () => {
  const authorization = `Bearer${' '.repeat(15_000)}\u00A0`
  const took = await processorMs(() => {
    for (const kind of ['alertmanager', 'grafana'] as const)
      assert.throws(() => readClaim(kind, { authorization }), /not signed/)
  })
  assert.ok(took < 500, `${took} ms`)
})

test('without an ID in the address the secret finds the webhook', async () => {
  const first = await createHook(product, 'github')
  const second = await createHook(product, 'github')
  for (const hook of [first, second]) {
    const { status } = await sendFromGitHub(product, hook, 'ping', { zen: hook.id }, { bySignature: true })
    assert.equal(status, 202)
    const { json } = await call(`/api/webhooks/deliveries?hook_id=${hook.id}`)
    assert.equal(json.data.length, 1)
  }
})

test('a webhook that is paused, deleted or has a new secret refuses the old one at once', async () => {
  const hook = await createHook(product, 'github')
  const ping = async () => (await sendFromGitHub(product, hook, 'ping', { zen: Math.random() })).status
  assert.equal(await ping(), 202)
  const patch = (json: object) => call(`/api/webhooks/${hook.id}`, { method: 'PATCH', json })
  assert.equal((await patch({ is_active: false })).json.is_active, false)
  assert.equal(await ping(), 401)
  await patch({ is_active: true })
  assert.equal(await ping(), 202)
  await patch({ secret: 'another-secret' })
  assert.equal(await ping(), 401)
  hook.secret = 'another-secret'
  assert.equal(await ping(), 202)
  assert.equal((await call(`/api/webhooks/${hook.id}`, { method: 'DELETE' })).status, 204)
  assert.equal(await ping(), 401)
  assert.deepEqual((await call(`/api/webhooks/deliveries?hook_id=${hook.id}`)).json.data, [])
})

test('a new secret counts in its process when it is answered, before any notification', async () => {
  const hook = await createHook(product, 'github')
  const ping = async () => (await sendFromGitHub(product, hook, 'ping', { zen: Math.random() })).status
  assert.equal(await ping(), 202)
  await administer('alter table webhooks.hooks disable trigger hooks_changed', databaseOf(product))
  await call(`/api/webhooks/${hook.id}`, { method: 'PATCH', json: { secret: 'another-secret' } })
  assert.equal(await ping(), 401)
  await administer('alter table webhooks.hooks enable trigger hooks_changed', databaseOf(product))
})

test('each kind is signed as its sender does it', async () => {
  const body = '{"alerts":[]}'
  const basic = (secret: string) => `Basic ${Buffer.from(`anyone:${secret}`).toString('base64')}`
  const ways = {
    gitlab: [(secret: string) => ({ 'x-gitlab-token': secret })],
    alertmanager: [
      (secret: string) => ({ authorization: `Bearer ${secret}` }),
      (secret: string) => ({ authorization: basic(secret) }),
    ],
    grafana: [
      (secret: string) => ({ authorization: `Bearer ${secret}` }),
      (secret: string) => ({ authorization: basic(secret) }),
      (secret: string) => ({ 'x-grafana-alerting-signature': hmac(secret, body) }),
      (secret: string) => ({
        'x-grafana-alerting-timestamp': '1772445600',
        'x-grafana-alerting-signature': hmac(secret, '1772445600:', body),
      }),
    ],
  }
  for (const kind of ['gitlab', 'alertmanager', 'grafana'] as const) {
    const hook = await createHook(product, kind, { secret: `secret of ${kind}: x` })
    for (const way of ways[kind]) {
      const good = await send(product, hook, body, { headers: way(hook.secret) })
      // The same body again is a duplicate.
      assert.ok(
        good.status === 202 || good.json.duplicate === true,
        `${kind} ${JSON.stringify(way('…'))} ${good.text}`,
      )
      const bad = await send(product, hook, body, { headers: way(`${hook.secret}x`) })
      assert.equal(bad.status, 401, `${kind} ${JSON.stringify(way('…'))}`)
    }
    assert.equal((await send(product, hook, body)).status, 401)
  }
})

test('a generic delivery is refused when its timestamp is old, or is not what was signed', async () => {
  const hook = await createHook(product, 'generic')
  const event = { kind: 'event', type: 'sync', title: 'Nightly import' }
  const now = Date.now()
  assert.equal((await sendGeneric(product, hook, event, now)).status, 202)
  assert.equal((await sendGeneric(product, hook, event, now - 301_000)).status, 401)
  assert.equal((await sendGeneric(product, hook, event, now + 302_000)).status, 401)
  const body = JSON.stringify(event)
  const old = String(Math.floor(now / 1_000) - 4_000)
  const moved = {
    'x-signalbox-timestamp': String(Math.floor(now / 1_000)),
    'x-signalbox-signature': `sha256=${hmac(hook.secret, old, '.', body)}`,
  }
  assert.equal((await send(product, hook, body, { headers: moved })).status, 401)
  const bodyOnly = { ...moved, 'x-signalbox-signature': `sha256=${hmac(hook.secret, body)}` }
  assert.equal((await send(product, hook, body, { headers: bodyOnly })).status, 401)
})

test('a body over the limit is refused', async () => {
  const hook = await createHook(product, 'github')
  const big = { zen: 'x'.repeat(1024 * 1024) }
  const withId = await sendFromGitHub(product, hook, 'ping', big)
  assert.equal(withId.status, 202)
  const bySignature = await sendFromGitHub(product, hook, 'ping', { ...big, again: 1 }, { bySignature: true })
  assert.equal(bySignature.status, 413)
  const bigger = await sendFromGitHub(product, hook, 'ping', { zen: 'x'.repeat(5 * 1024 * 1024) })
  assert.equal(bigger.status, 413)
})

test('webhooks are for admins of the group', async () => {
  const made = await call('/api/v1/keys', { json: { name: 'reader', scopes: ['read', 'events'] } })
  const key = made.json.key as string
  const hook = await createHook(product, 'github')
  assert.equal((await call('/api/webhooks', { key })).status, 403)
  assert.equal((await call('/api/webhooks', { key, json: { kind: 'github', name: 'x' } })).status, 403)
  assert.equal((await call(`/api/webhooks/${hook.id}`, { key, method: 'DELETE' })).status, 403)
  assert.equal((await call(`/api/webhooks/deliveries?hook_id=${hook.id}`, { key })).status, 403)
  assert.equal((await call('/api/webhooks/deliveries', { key })).status, 403)
})

test('an address with many wrong signatures of large bodies waits, and hooks with an ID keep working', async () => {
  const hook = await createHook(product, 'gitlab')
  await createHook(product, 'gitlab')
  const body = JSON.stringify({ text: 'a'.repeat(20_000) })
  const wrong = { headers: { 'x-gitlab-token': 'not-the-secret' }, bySignature: true }
  const statuses: number[] = []
  for (let n = 0; n < 30; n++) statuses.push((await send(product, hook, body, wrong)).status)
  // Twenty at once; the time that the test takes allows some more.
  assert.deepEqual(statuses.slice(0, 20), Array(20).fill(401))
  assert.ok(statuses.includes(429), statuses.join(' '))
  const withId = await send(product, hook, body, { headers: { 'x-gitlab-token': hook.secret } })
  assert.equal(withId.status, 202)
  assert.equal((await send(product, hook, '{}', wrong)).status, 401)
})
