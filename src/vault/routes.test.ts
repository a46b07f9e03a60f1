import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Provider } from '#vault/contract'
import { startVault } from '#test/vault'

const server = await startVault()
const { call } = server
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

function form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return call(path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

async function listed(id: string): Promise<Provider> {
  const { status, json } = await call('/providers')
  assert.equal(status, 200)
  const found = (json.providers as Provider[]).find((each) => each.id === id)
  assert.ok(found)
  return found
}

test('a key added by form or JSON returns a resource and is listed in the agreed shape', async () => {
  const added = await form('/providers/alpha', { api_key: 'sk-ant-form-key-1234', name: 'by form' })
  assert.equal(added.status, 201, added.text)
  assert.equal(added.json.provider_id, 'anthropic', 'the word of the specification is stored as the id')
  const again = await call('/providers/anthropic', {
    json: { api_key: 'sk-ant-json-key-5678', name: 'by JSON' },
  })
  assert.equal(again.status, 201)
  assert.equal(again.json.provider_account_id, added.json.provider_account_id)
  const provider = await listed('anthropic')
  const [me] = await server.query<{ id: string }>('select id from access.users')
  const key = (name: string, suffix: string, id: string) => ({
    id,
    name,
    key_suffix: suffix,
    is_default: false,
    is_active: true,
    user_id: me?.id,
    last_used_at: null,
    last_error: null,
    last_error_at: null,
    weight: 1,
    pooled: false,
  })
  assert.deepEqual(
    {
      ...provider,
      accounts: provider.accounts.map((account) => ({
        ...account,
        keys: account.keys.map(({ created_at: at, ...rest }) => {
          assert.ok(Math.abs(Date.now() - Date.parse(at)) < 10_000)
          return rest
        }),
      })),
    },
    {
      id: 'anthropic',
      spec_name: 'alpha',
      is_custom: false,
      name: 'ANTHROPIC',
      base_url: 'https://anthropic.example',
      docs_url: 'https://anthropic.example/docs',
      is_active: true,
      prefixes: ['anthropic-'],
      accounts: [
        {
          id: added.json.provider_account_id,
          group_id: server.groupId,
          provider_id: 'anthropic',
          name: 'Default',
          account_email: null,
          account_phone: null,
          keys: [key('by form', '1234', added.json.id), key('by JSON', '5678', again.json.id)],
        },
      ],
    },
  )
})

test('a browser gets the page, and after each form is redirected to it', async () => {
  const shown = await call('/providers', { headers: browser })
  assert.match(shown.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(shown.headers.get('vary') ?? '', /^accept(,|$)/)
  const key = (await form('/providers/beta', { api_key: 'sk-browser-0001', name: 'x' })).json
  const account = key.provider_account_id as string
  const fields = { api_key: 'sk-browser-0002', name: 'y', group_id: server.groupId }
  const posts: [string, Record<string, string>][] = [
    ['/providers/beta', fields],
    ['/providers/beta/accounts', { name: 'Browser', account_email: 'a@example.com', account_phone: '' }],
    [`/providers/accounts/${account}/keys`, fields],
    [`/providers/accounts/${account}/update`, { name: 'Renamed' }],
    ...['set-default', 'deactivate', 'activate', 'delete'].map((action): [string, Record<string, string>] => [
      `/providers/key/${key.id}/${action}`,
      {},
    ]),
    [`/providers/accounts/${account}/delete`, {}],
  ]
  for (const [path, body] of posts) {
    const { status, headers, text } = await form(path, body, browser)
    assert.deepEqual([status, headers.get('location')], [303, '/providers'], `${path}: ${text}`)
  }
})

test('keys and accounts change as the responses report', async () => {
  const made = await form('/providers/gamma/accounts', {
    name: 'Billing',
    account_email: 'pay@example.com',
    account_phone: '+43 1 234',
  })
  assert.equal(made.status, 201)
  assert.deepEqual([made.json.account_phone, made.json.keys], ['+43 1 234', []])
  const account = `/providers/accounts/${made.json.id}`
  const key = (await call(`${account}/keys`, { json: { api_key: 'AIza-key-0123456789', name: 'k' } })).json
  for (const [action, field, value] of [
    ['set-default', 'is_default', true],
    ['deactivate', 'is_active', false],
    ['activate', 'is_active', true],
  ] as const) {
    const { status, json } = await call(`/providers/key/${key.id}/${action}`, { method: 'POST' })
    assert.deepEqual([status, json[field]], [200, value], action)
  }
  const patched = await call(account, { method: 'PATCH', json: { account_phone: '', name: 'Bills' } })
  assert.deepEqual([patched.status, patched.json.account_phone, patched.json.keys.length], [200, null, 1])
  assert.equal(patched.json.account_email, 'pay@example.com', 'what was not named stays')
  const twin = await call('/providers/gemini/accounts', {
    json: { name: 'Bills', account_email: 'b@example.com' },
  })
  assert.deepEqual([twin.status, twin.json.error.code, twin.json.error.param], [409, 'conflict', 'name'])
  assert.equal((await call(`/providers/key/${key.id}/delete`, { method: 'POST' })).status, 204)
  assert.equal((await call(`/providers/key/${key.id}/delete`, { method: 'POST' })).status, 404)
  assert.equal((await call(account, { method: 'DELETE' })).status, 204)
  assert.equal((await call(account, { method: 'DELETE' })).status, 404)
  assert.deepEqual((await listed('gemini')).accounts, [])
})

test('reveal returns the value, forbids caching, and emits an event with who and which', async () => {
  const value = 'sk-reveal-me-ABCD'
  const { json } = await call('/providers/openai', { json: { api_key: value } })
  assert.equal(json.name, 'Key …ABCD', 'a key without a name gets one')
  const shown = await call(`/providers/key/${(json.id as string).toUpperCase()}/reveal`)
  assert.deepEqual(shown.json, { id: json.id, api_key: value })
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const event = server.events.findLast(({ event }) => event === 'provider_key.revealed')
  const [me] = await server.query<{ id: string }>('select id from access.users')
  assert.deepEqual(
    { ...event, at: null },
    {
      event: 'provider_key.revealed',
      at: null,
      groupId: server.groupId,
      by: me?.id,
      apiKeyId: null,
      keyId: json.id,
      accountId: json.provider_account_id,
      providerId: 'openai',
      name: 'Key …ABCD',
      suffix: 'ABCD',
    },
  )
})

test('bad input is refused, names its field, and changes nothing', async () => {
  const before = await server.query('select * from vault.provider_keys')
  const account = (
    await call('/providers/openrouter/accounts', {
      json: { name: 'Bad input', account_email: 'x@example.com' },
    })
  ).json.id as string
  const ok = { api_key: 'sk-good-enough-1', name: 'n' }
  const table: [string, unknown, number, string | null][] = [
    ['/providers/openai', { name: 'n' }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: '' }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: 'short12' }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: 12345678 }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: ['sk-good-enough-1'] }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: 'k'.repeat(10_000_000) }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: 'sk-one\nsk-two-0000' }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: 'sk-header\r\nx-evil: 1' }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: 'sk-nul-\u0000-0000' }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: 'sk-ünïcode-0000' }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: ' \n' }, 400, 'api_key'],
    ['/providers/openai', { ...ok, api_key: '  short12  ' }, 400, 'api_key'],
    ['/providers/openai', { ...ok, name: 'n'.repeat(101) }, 400, 'name'],
    ['/providers/openai', { ...ok, group_id: 'nonsense' }, 400, 'group_id'],
    ['/providers/openai', { ...ok, group_id: randomUUID() }, 404, null],
    ['/providers/openai', [], 400, null],
    ['/providers/nobody', ok, 404, null],
    ['/providers/__proto__', ok, 404, null],
    ['/providers/nobody/accounts', { name: 'n', account_email: 'a@example.com' }, 404, null],
    ['/providers/openai/accounts', { name: '', account_email: 'a@example.com' }, 400, 'name'],
    ['/providers/openai/accounts', { name: 'n', account_email: 'not one' }, 400, 'account_email'],
    [`/providers/accounts/${account}/keys`, { name: 'n' }, 400, 'api_key'],
    [`/providers/accounts/${randomUUID()}/keys`, ok, 404, null],
    ['/providers/accounts/nonsense/keys', ok, 400, 'account_id'],
    ['/providers/key/nonsense/delete', {}, 400, 'key_id'],
    [`/providers/key/${randomUUID()}/delete`, {}, 404, null],
    [`/providers/key/${randomUUID()}/set-default`, {}, 404, null],
  ]
  for (const [path, json, status, param] of table) {
    const response = await call(path, { json })
    const shown = `${path} ${JSON.stringify(json).slice(0, 80)}: ${response.text.slice(0, 300)}`
    assert.deepEqual([response.status, response.json?.error?.param], [status, param], shown)
    assert.ok(response.text.length < 500, 'what was sent is not sent back')
    assert.ok(!/sk-|kkkk/.test(response.text), shown)
  }
  assert.equal((await call(`/providers/key/${randomUUID()}/reveal`)).status, 404)
  assert.equal((await call('/providers/key/nonsense/reveal')).status, 400)
  assert.deepEqual(await server.query('select * from vault.provider_keys'), before)
})

test('the routes of others under the same path stay free', async () => {
  assert.equal((await call('/providers', { json: {} })).status, 405)
  assert.equal((await call('/providers/aggregator/models/sync', { json: {} })).status, 404)
})
