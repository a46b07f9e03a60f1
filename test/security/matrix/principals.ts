import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Role, Scope } from '#kernel/auth'
import { startProduct, type Answer } from '../../harness/product.ts'
import { ownerTokenOf } from '../../harness/owner.ts'
import { waitFor } from '../../harness/wait.ts'
import type { AuditedServer } from '../server.ts'

/** What is known about a principal; the expected cells follow from it. */
export type Kind =
  | { is: 'nobody' }
  | { is: 'another site'; withSession: boolean }
  | { is: 'person'; role: Role }
  | { is: 'key'; scopes: readonly Scope[]; madeBy: Role }
  | { is: 'key of a run'; scopes: readonly Scope[] }
  | { is: 'dead key' }
  | { is: 'person without group' }
  | { is: 'outsider'; key: boolean; namesTheGroup: boolean }

export interface Sender {
  name: string
  kind: Kind
  url: string
  headers: Record<string, string>
}

/** Written out: a scope that is added or removed must be noticed here. */
export const everyScope: readonly Scope[] = [
  'gateway',
  'embeddings',
  'events',
  'read',
  'sql',
  'agents',
  'admin',
]
const everyRole: readonly Role[] = ['owner', 'admin', 'member', 'viewer']
/** Not the one in the examples, with which the matrix changes passwords. */
const password = 'a password of the matrix'
const foreign = { origin: 'https://evil.example' }

/** Every kind of principal there is, most of them in the group Default. */
export async function principalsOf(server: AuditedServer): Promise<Sender[]> {
  const { url } = server
  const closed = await startProduct({ AUTH: 'required' })
  const token = { 'x-owner-token': ownerTokenOf(url) ?? '' }
  const sessions = Object.fromEntries(
    await Promise.all(everyRole.map(async (role) => [role, await joined(server, role)] as const)),
  ) as Record<Role, Record<string, string>>
  const keys = await Promise.all(
    everyScope.map(async (scope) => {
      const { key } = await newKey(server, { scopes: [scope] })
      const kind = { is: 'key', scopes: [scope], madeBy: 'owner' } as const
      return { name: `key: ${scope}`, kind, headers: bearer(key) }
    }),
  )
  const { key: keyOfAdmin } = await newKey(server, { scopes: everyScope }, asPerson(sessions.admin))
  const dead = await deadKeys(server)
  const left = await leftMember(server)
  const other = await outsider(server)
  const named = { 'x-group-id': server.groupId }
  const here = [
    { name: 'local, no token', kind: { is: 'nobody' } as const, headers: {} },
    {
      name: 'local, wrong token',
      kind: { is: 'nobody' } as const,
      headers: { 'x-owner-token': 'x'.repeat(43) },
    },
    {
      name: 'token, by proxy',
      kind: { is: 'nobody' } as const,
      headers: { ...token, 'x-forwarded-for': '203.0.113.9' },
    },
    {
      name: 'token, other site',
      kind: { is: 'another site', withSession: false } as const,
      headers: { ...token, ...foreign },
    },
    {
      name: 'session, other site',
      kind: { is: 'another site', withSession: true } as const,
      headers: { ...sessions.owner, ...foreign },
    },
    { name: 'local owner', kind: { is: 'person', role: 'owner' } as const, headers: token },
    ...everyRole.map((role) => ({
      name: role,
      kind: { is: 'person', role } as const,
      headers: sessions[role],
    })),
    ...keys,
    {
      name: 'key of an admin',
      kind: { is: 'key', scopes: everyScope, madeBy: 'admin' } as const,
      headers: bearer(keyOfAdmin),
    },
    {
      name: 'key of a demoted owner',
      kind: { is: 'key', scopes: ['read'], madeBy: 'viewer' } as const,
      headers: bearer(await keyOfDemotedOwner(server)),
    },
    {
      name: 'key of a run',
      kind: { is: 'key of a run', scopes: everyScope } as const,
      headers: bearer(await keyOfRun(server)),
    },
    ...dead,
    { name: 'left the group', kind: { is: 'person without group' } as const, headers: left },
    {
      name: 'other group',
      kind: { is: 'outsider', key: false, namesTheGroup: false } as const,
      headers: other.session,
    },
    {
      name: 'other group, naming this',
      kind: { is: 'outsider', key: false, namesTheGroup: true } as const,
      headers: { ...other.session, ...named },
    },
    {
      name: "other group's key",
      kind: { is: 'outsider', key: true, namesTheGroup: false } as const,
      headers: bearer(other.key),
    },
    {
      name: "other group's key, naming this",
      kind: { is: 'outsider', key: true, namesTheGroup: true } as const,
      headers: { ...bearer(other.key), ...named },
    },
  ]
  return [
    { name: 'anonymous', kind: { is: 'nobody' }, url: closed.url, headers: {} },
    { name: 'token, sign-in required', kind: { is: 'nobody' }, url: closed.url, headers: token },
    ...here.map((each) => ({ ...each, url })),
  ]
}

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

/** `call` is the local owner's, unless another person's session is sent without the owner token. */
const asPerson = (session: Record<string, string>) => ({ ...session, 'x-owner-token': '' })

/** The session of a new member, as a browser on the dashboard's own page sends it. */
export async function joined(
  server: AuditedServer,
  role: Role,
  email = `${role}@example.com`,
  groupId = server.groupId,
): Promise<Record<string, string>> {
  const { json } = await server.call(`/api/v1/groups/${groupId}/invitations`, { json: { role } })
  const token = new URL(json.url as string).searchParams.get('token') ?? ''
  const answer = await server.call('/api/auth/invitation/accept', {
    json: { token, name: role, email, password },
    headers: { origin: server.url },
  })
  assert.equal(answer.status, 200, answer.text)
  return { cookie: cookiesOf(answer), origin: server.url }
}

const cookiesOf = (answer: Answer): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

async function newKey(
  server: AuditedServer,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ id: string; key: string }> {
  const answer = await server.call('/api/v1/keys', { json: { name: 'audit', ...body }, headers })
  assert.equal(answer.status, 201, answer.text)
  return answer.json as { id: string; key: string }
}

async function deadKeys(server: AuditedServer) {
  const [revoked, expired] = [await newKey(server, {}), await newKey(server, {})]
  await server.call(`/api/v1/keys/${revoked.id}`, { method: 'DELETE' })
  await server.query("update access.api_keys set expires_at = now() - interval '1 hour' where id = $1", [
    expired.id,
  ])
  const dead = [
    ['revoked key', revoked.key],
    ['expired key', expired.key],
    ['unknown key', `sb-${'x'.repeat(40)}`],
  ] as const
  for (const [name, key] of dead)
    await waitFor(name, async () => (await server.call('/api/v1/me', { key })).status === 401)
  return dead.map(([name, key]) => ({ name, kind: { is: 'dead key' } as const, headers: bearer(key) }))
}

const idOf = async (server: AuditedServer, session: Record<string, string>): Promise<string> =>
  (await server.call('/api/v1/me', { headers: asPerson(session) })).json.user.id as string

/** Was a member with a session, and with a key that went with the membership. */
async function leftMember(server: AuditedServer): Promise<Record<string, string>> {
  const session = await joined(server, 'admin', 'left@example.com')
  const { key } = await newKey(server, {}, asPerson(session))
  const member = `/api/v1/groups/${server.groupId}/members/${await idOf(server, session)}`
  await server.call(member, { method: 'DELETE' })
  await waitFor('the key to end', async () => (await server.call('/api/v1/me', { key })).status === 401)
  return session
}

/** A key never does more than its maker may do now. */
async function keyOfDemotedOwner(server: AuditedServer): Promise<string> {
  const session = await joined(server, 'owner', 'demoted@example.com')
  const { key } = await newKey(server, { scopes: everyScope }, asPerson(session))
  const member = `/api/v1/groups/${server.groupId}/members/${await idOf(server, session)}`
  await server.call(member, { method: 'PATCH', json: { role: 'viewer' } })
  const scopes = async (): Promise<number> => (await server.call('/api/v1/me', { key })).json.scopes.length
  await waitFor('fewer scopes', async () => (await scopes()) === 1)
  return key
}

/** The key of a run that is in progress. It has every scope, so that only the rule for runs can refuse it. */
async function keyOfRun(server: AuditedServer): Promise<string> {
  const { id: keyId, key } = await newKey(server, { scopes: everyScope })
  const runId = randomUUID()
  await server.query(
    `insert into agents.runs (id, group_id, agent_id, agent_version, request, status, limits, started_by_name, scopes,
       process_id, lease_until)
     values ($1, $2, 'data-engineer', 1, 'audit', 'running', $3, 'audit', '{gateway}', $1, now() + interval '1 hour')`,
    [runId, server.groupId, JSON.stringify({ max_steps: 1, max_seconds: 1, max_tokens: 1, max_cost: 1 })],
  )
  await server.query(
    "update access.api_keys set run_id = $2, run_agent_id = 'data-engineer', run_mode = 'default' where id = $1",
    [keyId, runId],
  )
  return key
}

/** The owner of a group of their own, with a key that has every scope there. */
async function outsider(server: AuditedServer) {
  const { json: group } = await server.call('/api/v1/groups', { json: { name: 'Elsewhere' } })
  const session = await joined(server, 'owner', 'outsider@example.com', group.id as string)
  const { key } = await newKey(server, { scopes: everyScope }, asPerson(session))
  const me = (await server.call('/api/v1/me')).json.user.id as string
  const left = await server.call(`/api/v1/groups/${group.id}/members/${me}`, { method: 'DELETE' })
  assert.equal(left.status, 204, left.text)
  return { session, key }
}
