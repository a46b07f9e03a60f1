import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '#test/product'
import { startVault } from '#test/vault'

const server = await startVault({ AUTH: 'required' })
const password = 'a long enough password'

type Ask = (path: string, method?: string, json?: unknown) => Promise<Answer>

async function join(token: string, email: string): Promise<Ask> {
  const response = await server.call('/api/auth/invitation/accept', {
    json: { token, name: email, email, password },
    headers: { origin: server.url },
  })
  assert.equal(response.status, 200, response.text)
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return (path, method = 'GET', json) =>
    server.call(path, { method, json, headers: { origin: server.url, cookie } })
}

const owner = await join(server.first.ownerToken?.reveal() ?? '', 'owner@example.com')

async function invited(role: string): Promise<Ask> {
  const { json } = await owner(`/api/v1/groups/${server.groupId}/invitations`, 'POST', { role })
  return join(new URL(json.url as string).searchParams.get('token') ?? '', `${role}@example.com`)
}

const people = {
  admin: await invited('admin'),
  member: await invited('member'),
  viewer: await invited('viewer'),
}
const other = (await owner('/api/v1/groups', 'POST', { name: 'Other' })).json.id as string
const body = { api_key: 'sk-rights-test-0001', name: 'k' }
const account = { name: 'A', account_email: 'a@example.com' }

async function apiKey(scopes: string[]): Promise<Ask> {
  const { json } = await owner('/api/v1/keys', 'POST', { name: scopes.join(), scopes })
  return (path, method = 'GET', given) => server.call(path, { method, json: given, key: json.key as string })
}

/** Everything that needs an admin, on a key and an account of its own. */
async function changes(by: Ask, groupId = server.groupId): Promise<number[]> {
  const key = (await owner('/providers/openai', 'POST', { ...body, group_id: groupId })).json
  const made = (
    await owner('/providers/openai/accounts', 'POST', {
      ...account,
      name: `A${Math.random()}`,
      group_id: groupId,
    })
  ).json
  const requests: [string, string, unknown?][] = [
    [`/providers/key/${key.id}/reveal`, 'GET'],
    [`/providers/key/${key.id}/set-default`, 'POST'],
    [`/providers/key/${key.id}/deactivate`, 'POST'],
    [`/providers/key/${key.id}/activate`, 'POST'],
    [`/providers/key/${key.id}/delete`, 'POST'],
    [`/providers/accounts/${made.id}/keys`, 'POST', body],
    [`/providers/accounts/${made.id}/update`, 'POST', { name: `B${Math.random()}` }],
    [`/providers/accounts/${made.id}/delete`, 'POST'],
    ['/providers/openai', 'POST', { ...body, group_id: groupId }],
    ['/providers/openai/accounts', 'POST', { ...account, name: `C${Math.random()}`, group_id: groupId }],
  ]
  const statuses: number[] = []
  for (const [path, method, json] of requests) statuses.push((await by(path, method, json)).status)
  return statuses
}

const done = [200, 200, 200, 200, 204, 201, 200, 204, 201, 201]
const all = (status: number): number[] => done.map(() => status)

test('owners and admins add, change, reveal and delete; members and viewers only look', async () => {
  assert.deepEqual(await changes(owner), done)
  assert.deepEqual(await changes(people.admin), done)
  assert.deepEqual(await changes(people.member), all(403))
  assert.deepEqual(await changes(people.viewer), all(403))
  for (const person of Object.values(people)) assert.equal((await person('/providers')).status, 200)
})

test('an API key needs the scope read to look and admin for the rest', async () => {
  assert.deepEqual(await changes(await apiKey(['admin'])), done)
  const reader = await apiKey(['read'])
  assert.deepEqual(await changes(reader), all(403))
  assert.equal((await reader('/providers')).status, 200)
  assert.equal((await (await apiKey(['gateway']))('/providers')).status, 403)
})

test('what belongs to another group does not exist, for admins and their API keys alike', async () => {
  assert.deepEqual(await changes(people.admin, other), all(404))
  assert.deepEqual(await changes(await apiKey(['admin']), other), all(404))
  assert.equal((await people.admin(`/providers?group_id=${other}`)).status, 404)
  assert.deepEqual(await changes(owner, other), done)
  const shown = await people.admin('/providers')
  assert.ok(!shown.text.includes(other))
  const theirs = await owner(`/providers?group_id=${other}`)
  assert.ok(theirs.text.includes(other) && !theirs.text.includes(server.groupId))
})

test('without a credential nothing is shown but the empty page that leads to the sign-in', async () => {
  assert.equal((await server.call('/providers')).status, 401)
  assert.equal((await server.call('/providers/openai', { json: body })).status, 401)
  const page = await server.call('/providers', { headers: { accept: 'text/html' } })
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(!page.text.includes('0001'))
})

test('a group that is deleted takes its accounts and keys along', async () => {
  assert.equal((await owner(`/api/v1/groups/${other}`, 'DELETE')).status, 204)
  const left = await server.query('select id from vault.provider_keys where group_id = $1', [other])
  assert.equal(left.length, 0)
})
