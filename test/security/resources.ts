import { randomUUID } from 'node:crypto'
import type { Route } from './route-list.ts'
import { paramsOf } from './requests.ts'
import type { AuditedServer } from './server.ts'
import { marker } from './server.ts'

/** `before` has the values of the parameters to the left. */
type Make = (
  server: AuditedServer,
  route: Route,
  before: Readonly<Record<string, string>>,
) => string | Promise<string>

/**
 * How to make what a path names, where it is not what a POST to the path before it returns: by the path up to the
 * parameter.
 */
const makers: Readonly<Record<string, Make>> = {
  '/api/v1/default-models/{use}': async () => 'agents',
  // A key gives a new value only to keys whose scopes it has itself.
  '/api/v1/keys/{id}': (server, { template }) =>
    idFrom(server, '/api/v1/keys', {
      name: `${marker} ${randomUUID()}`,
      scopes: template.endsWith('/rotate') ? ['admin'] : ['gateway', 'read'],
    }),
  // A group that is deleted is not the one that the principals of the matrix belong to.
  '/api/v1/groups/{id}': (server, { method, template }) =>
    method === 'DELETE' && template === '/api/v1/groups/{id}' ? copyOfGroup(server) : server.groupId,
  '/api/v1/groups/{id}/members/{user_id}': newMember,
  '/api/v1/groups/{id}/invitations/{invitation_id}': (server) =>
    idFrom(server, `/api/v1/groups/${server.groupId}/invitations`, { role: 'viewer' }),
  '/providers/key/{key_id}': (server) =>
    idFrom(server, '/providers/openai', { name: `${marker} ${randomUUID()}`, api_key: `sk-${randomUUID()}` }),
  '/providers/accounts/{account_id}': (server) =>
    idFrom(server, '/providers/openai/accounts', {
      name: `${marker} ${randomUUID()}`,
      account_email: 'ada@example.com',
    }),
  '/providers/{provider_id}': (server, { method }) => (method === 'POST' ? 'openai' : newProvider(server)),
  '/api/v1/logs/{request_id}': loggedRequest,
  '/api/v1/pricing/{model_id}': async (server) => {
    const path = '/api/v1/pricing/gpt-6-sol'
    await server.call(path, {
      method: 'PUT',
      json: { input_price_per_1m: '1', output_price_per_1m: '2' },
    })
    return 'gpt-6-sol'
  },
  '/api/v1/routes/{name}': newRoute,
  '/api/v1/limits/{id}': (server) =>
    idFrom(server, '/api/v1/limits', {
      ...{ subject: { type: 'tag', id: marker }, metric: 'cost', amount: '1000000', window: 'day' },
    }),
  '/v1/models/{model_id}': () => 'gpt-6-sol',
  // Each key has only its own.
  '/v1/responses/{response_id}': () => 'resp_B7x2',
  '/api/console/events/{id}': async (server) => {
    const { json } = await server.call('/api/console/events', { json: { type: 'config', title: marker } })
    return (json as { ids: string[] }).ids[0] ?? ''
  },
  '/api/transcripts/{id}': newTranscript,
  '/api/transcripts/{id}/images/{sha256}': () => transcriptImage.sha256,
  '/api/maintenance/{id}': async (server) => {
    const service = await newService(server)
    return idFrom(server, `/api/services/${service}/maintenance`, {
      starts_at: '2026-11-20T22:00:00Z',
      ends_at: '2026-11-20T23:00:00Z',
    })
  },
  '/api/incidents/{id}': async (server) => {
    const name = `${marker}-${randomUUID().slice(0, 8)}`.toLowerCase()
    await idFrom(server, '/api/services', { name })
    return idFrom(server, '/api/incidents', { service: name, cause: 'down' })
  },
  '/api/status/{slug}': async (server) => {
    const json = { slug: 'audit', title: 'Status', is_enabled: true }
    await server.call('/api/status-page', { method: 'PUT', json })
    return 'audit'
  },
  '/api/v1/sql/approvals/{id}': newApproval,
  '/api/v1/sql/databases/{name}': newDatabase,
  '/api/v1/sql/logs/{id}': newUndoable,
  '/api/v1/sql/migrations/{id}': newMigration,
  '/api/initiatives/{id}': async (server, { template }) => {
    const id = await idFrom(server, '/api/initiatives', { title: marker })
    if (/\/standup\/|\/standup$/.test(template)) await newStandup(server, id)
    return id
  },
  '/api/initiatives/{id}/standups/{session_id}': (server, _route, { id = '' }) => newStandup(server, id),
  '/api/initiatives/{id}/standup/proposals/{proposal_id}': newProposal,
  '/api/initiatives/{id}/standup/artifacts/{artifact_id}': newDraft,
  '/api/initiatives/{id}/criteria/{detail}': detailOf('criteria', { text: marker }),
  '/api/initiatives/{id}/findings/{detail}': detailOf('findings', { text: marker }),
  '/api/initiatives/{id}/questions/{detail}': detailOf('open_questions', {
    text: marker,
    category: 'direction',
  }),
  '/api/initiatives/{id}/links/{detail}': detailOf('links', { kind: 'url', target: 'https://example.com' }),
  '/api/initiatives/{id}/decisions/{detail}': detailOf('decisions', { title: marker, decision: marker }),
  '/api/agents/{id}': (server) =>
    idFrom(server, '/api/agents', { id: `a-${randomUUID()}`, name: marker, model: 'my-model' }),
  '/api/agent-runs/{run_id}': newRun,
  '/api/webhooks/github/{hook_id}': newWebhook,
  '/api/webhooks/gitlab/{hook_id}': newWebhook,
  '/api/webhooks/alertmanager/{hook_id}': newWebhook,
  '/api/webhooks/grafana/{hook_id}': newWebhook,
  '/api/webhooks/generic/{hook_id}': newWebhook,
  '/api/webhooks/deliveries/{id}': newDelivery,
}

/** Values for the parameters of a path, each naming something that exists in the group Default. */
export async function resourcesFor(server: AuditedServer, route: Route): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const name of paramsOf(route.template)) {
    const upTo = route.template.slice(0, route.template.indexOf(`{${name}}`) + name.length + 2)
    values[name] = await (makers[upTo] ?? makeByPost(upTo))(server, route, values)
  }
  return values
}

/** An open stand-up whose agent is silent. */
async function newStandup({ query, groupId }: AuditedServer, initiativeId: string): Promise<string> {
  const id = randomUUID()
  await query(
    "insert into standups.sessions (id, group_id, initiative_id, title, status, model, brief) values ($1, $2, $3, $4, 'open', 'gpt-6-sol', $5)",
    [id, groupId, initiativeId, marker, emptyBrief],
  )
  return id
}

const emptyBrief = JSON.stringify({
  since: null,
  criteria: [],
  tickets: { open: 0, done: 0, created: 0, recent: [] },
  deployments: { succeeded: 0, failed: 0, recent: [] },
  devlogs: { count: 0, recent: [] },
  decisions: [],
  findings: [],
  open_questions: [],
})

const standupOf = '(select id from standups.sessions where initiative_id = $2 limit 1)'

async function newProposal(
  { query }: AuditedServer,
  _route: Route,
  { id: initiativeId }: Readonly<Record<string, string>>,
): Promise<string> {
  const id = randomUUID()
  const content = {
    ...{ criterion_id: randomUUID(), criterion: marker, before: null, confidence: 50, proposed: 50 },
    ...{ rationale: marker, evidence: [] },
  }
  await query(
    `insert into standups.proposals (id, session_id, kind, proposed, content) values ($1, ${standupOf}, 'confidence', $3, $3)`,
    [id, initiativeId, JSON.stringify(content)],
  )
  return id
}

async function newDraft(
  { query }: AuditedServer,
  _route: Route,
  { id: initiativeId }: Readonly<Record<string, string>>,
): Promise<string> {
  const id = randomUUID()
  await query(
    `insert into standups.drafts (id, session_id, type, drafted_title, drafted_content, title, content, effect)
     values ($1, ${standupOf}, 'meeting_notes', $3, $3, $3, $3, '{"type": "meeting_notes"}')`,
    [id, initiativeId, marker],
  )
  return id
}

/** Adding to an initiative returns the whole of it. */
function detailOf(field: string, json: object): Make {
  const path = field === 'open_questions' ? 'questions' : field
  return async (server, _route, { id }) => {
    const answer = await server.call(`/api/initiatives/${id}/${path}`, { json })
    const details = (answer.json as Record<string, { id: string }[]>)[field] ?? []
    return details[0]?.id ?? ''
  }
}

/** Most collections have a POST that creates a member of it, with an example in the document. */
function makeByPost(upTo: string): Make {
  const collection = upTo.replace(/\/\{[^}]*\}$/, '')
  return async (server, _route, before) => {
    const media = server.document.paths[collection]?.['post']?.requestBody?.content['application/json']
    const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value
    if (example === undefined)
      throw new Error(`Say in test/security/resources.ts how to make what ${upTo} names`)
    const path = collection.replaceAll(/\{([^}]*)\}/g, (_whole, name: string) => before[name] ?? '')
    return idFrom(server, path, made(example))
  }
}

/** The example with names of its own, so that it can be created more than once. */
function made(example: unknown): unknown {
  if (typeof example !== 'object' || example === null) return example
  const unique = Object.entries(example)
    .filter(([name, value]) => ['name', 'title', 'slug'].includes(name) && typeof value === 'string')
    .map(([name]) => [name, `${marker}-${randomUUID().slice(0, 8)}`])
  return { ...example, ...Object.fromEntries(unique) }
}

async function idFrom(server: AuditedServer, path: string, json: unknown): Promise<string> {
  const {
    status,
    json: body,
    text,
  } = await server.call(path, { json, headers: { accept: 'application/json' } })
  const created = (body?.data ?? body) as { id?: unknown } | undefined
  if (status >= 300 || typeof created?.id !== 'string')
    throw new Error(`POST ${path} made nothing with an id: ${status} ${text.slice(0, 300)}`)
  return created.id
}

/** Nothing listens at its port. */
async function newDatabase(server: AuditedServer, { template }: Route): Promise<string> {
  // Its structure is read, so it has to be one that is there.
  if (template.endsWith('/schema')) return 'application'
  // Errors repeat the name that was asked for.
  const name = `shop-${randomUUID().slice(0, 8)}`
  await server.call('/api/v1/sql/databases', { json: { name, url: 'postgresql://a:b@127.0.0.1:1/shop' } })
  return name
}

async function newRoute(server: AuditedServer): Promise<string> {
  const name = `${marker}-${randomUUID().slice(0, 8)}`
  await server.call('/api/v1/routes', { json: { name, targets: [{ model: 'gpt-6-sol' }] } })
  return name
}

/** Everybody has the same role in it. */
async function copyOfGroup({ query, groupId }: AuditedServer): Promise<string> {
  const id = randomUUID()
  await query('insert into access.groups (id, name) values ($1, $2)', [id, `${marker} copy`])
  await query(
    'insert into access.memberships (group_id, user_id, role) select $1, user_id, role from access.memberships where group_id = $2',
    [id, groupId],
  )
  return id
}

async function newMember({ query, groupId }: AuditedServer): Promise<string> {
  const id = randomUUID()
  await query('insert into access.users (id, name, email) values ($1, $2, $3)', [
    id,
    marker,
    `${id}@example.com`,
  ])
  await query("insert into access.memberships (group_id, user_id, role) values ($1, $2, 'viewer')", [
    groupId,
    id,
  ])
  return id
}

async function newProvider(server: AuditedServer): Promise<string> {
  const id = `p${randomUUID().slice(0, 8)}`
  await idFrom(server, '/providers', {
    id,
    name: marker,
    kind: 'openai-compatible',
    base_url: 'https://llm.example.com/v1',
    prefixes: [`${id}-`],
  })
  return id
}

const newService = (server: AuditedServer): Promise<string> =>
  idFrom(server, '/api/services', { name: `${marker}-${randomUUID().slice(0, 8)}`.toLowerCase() })
async function newWebhook(server: AuditedServer, { template }: Route): Promise<string> {
  return idFrom(server, '/api/webhooks', { kind: template.split('/')[3], name: marker })
}

async function newDelivery(server: AuditedServer): Promise<string> {
  const secret = randomUUID()
  const hook = await idFrom(server, '/api/webhooks', { kind: 'gitlab', name: marker, secret })
  const { json } = await server.call(`/api/webhooks/gitlab/${hook}`, {
    json: { note: marker },
    headers: { 'x-gitlab-token': secret },
  })
  return json.id
}

/** One that waits where it is answered, and has ended where it is read. */
async function newRun({ query, groupId }: AuditedServer, { template }: Route): Promise<string> {
  const id = randomUUID()
  const waits = template.endsWith('/answer')
  const wait = { kind: 'tool', tool_call_id: 'call', tool: marker, arguments: {} }
  await query(
    `insert into agents.runs (id, group_id, agent_id, agent_version, request, status, waiting_for, limits,
       started_by_name, scopes) values ($1, $2, 'data-engineer', 0, $3, $4, $5, $6, $3, '{gateway}')`,
    [
      id,
      groupId,
      marker,
      waits ? 'waiting' : 'completed',
      waits ? JSON.stringify(wait) : null,
      JSON.stringify({ max_steps: 1, max_seconds: 1, max_tokens: 1, max_cost: 1 }),
    ],
  )
  return id
}

/** An agent whose statements all wait for approval. */
async function carefulAgent(server: AuditedServer): Promise<string> {
  const policy = {
    allowed_databases: ['application'],
    allowed_operations: [],
    requires_approval: ['SELECT', 'UPDATE'],
    environment: 'dev',
  }
  const json = { id: `a-${randomUUID()}`, name: marker, model: 'my-model', config: { policy } }
  return idFrom(server, '/api/agents', json)
}

const approve = (server: AuditedServer, id: string) =>
  server.call(`/api/v1/sql/approvals/${id}/approve`, { json: {} })

/** Approved where it is to run. */
async function newApproval(server: AuditedServer, { template }: Route): Promise<string> {
  const agent_id = await carefulAgent(server)
  const json = { database: 'application', sql: 'select 1', reason: marker, agent_id }
  const id = (await server.call('/api/v1/sql/execute', { json })).json.approval_id as string
  if (template.endsWith('/run')) await approve(server, id)
  return id
}

/** One that can be rolled back at once. */
async function newMigration(server: AuditedServer): Promise<string> {
  const table = `m_${randomUUID().replaceAll('-', '')}`
  const policy = {
    allowed_databases: ['application'],
    allowed_operations: ['CREATE TABLE', 'DROP TABLE'],
    requires_approval: [],
    environment: 'dev',
  }
  const agent = { id: `a-${randomUUID()}`, name: marker, model: 'my-model', config: { policy } }
  const json = {
    agent_id: await idFrom(server, '/api/agents', agent),
    database: 'application',
    name: `${marker} ${table}`,
    statements: [`create table ${table} (id int)`],
    rollback: [`drop table ${table}`],
    reason: marker,
  }
  const { audit_id } = (await server.call('/api/v1/sql/migrate', { json })).json
  const { data } = (await server.call(`/api/v1/sql/migrations?q=${table}`)).json
  if (data[0]?.audit_id !== audit_id) throw new Error('The migration was not found')
  return data[0].id as string
}

/** An approved change of one row. */
async function newUndoable(server: AuditedServer): Promise<string> {
  const execute = (json: object) =>
    server.call('/api/v1/sql/execute', { json: { database: 'application', reason: marker, ...json } })
  const table = `t_${randomUUID().replaceAll('-', '')}`
  await execute({ sql: `create table ${table} (id int primary key, n int)` })
  await execute({ sql: `insert into ${table} values (1, 1)` })
  const change = { sql: `update ${table} set n = 2`, agent_id: await carefulAgent(server) }
  const approval_id = (await execute(change)).json.approval_id as string
  await approve(server, approval_id)
  return (await execute({ ...change, approval_id })).json.audit_id as string
}

async function loggedRequest(server: AuditedServer): Promise<string> {
  const { headers } = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'hello' }], metadata: { note: marker } },
  })
  return headers.get('x-request-id') ?? ''
}

/** The first bytes of a PNG. */
const transcriptImage = {
  data: 'iVBORw0KGgo=',
  sha256: '4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6',
}

/** A session of one message, with an image. */
async function newTranscript(server: AuditedServer): Promise<string> {
  const external = randomUUID()
  const source = { type: 'base64', media_type: 'image/png', data: transcriptImage.data }
  const content = [
    { type: 'text', text: marker },
    { type: 'image', source },
  ]
  const record = { type: 'user', uuid: randomUUID(), message: { role: 'user', content } }
  await server.call('/api/transcripts/ingest', {
    json: {
      machine: 'laptop',
      assistant: 'claude-code',
      root: '/home/dev/.claude',
      path: `projects/-home-dev-shop/${external}.jsonl`,
      generation: 0,
      from: 0,
      to: 100,
      identity: null,
      lines: [JSON.stringify(record)],
    },
  })
  const { json } = await server.call(`/api/transcripts?external_id=${external}`)
  return (json as { data: { id: string }[] }).data[0]?.id ?? ''
}
