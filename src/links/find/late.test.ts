import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { clientConfig } from '#kernel/db'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'
import { ask, make, pullRequest, sendFromGitHub, session, setPrice } from '../testing-story.ts'

/** What comes late, is unlinked or deleted: links and costs follow. */

let close = async (): Promise<void> => undefined
after(() => close())
const it = await startGateway()
await setPrice(it)
const database = new pg.Client(clientConfig(it.target))
await database.connect()
close = () => database.end()

interface Shown {
  to: { type: string; id: string }
  how: string
  evidence: string
}

const linksOf = async (type: string, id: string): Promise<Shown[]> =>
  (await it.call(`/api/v1/links?type=${type}&id=${encodeURIComponent(id)}`)).json.data

const costs = async (query: string) => (await it.call(`/api/v1/costs?${query}`)).json

/** Changes of the last minute are looked at again: this one was longer ago. */
async function age(table: string, id: string): Promise<void> {
  await database.query(`update ${table} set updated_at = now() - interval '5 minutes' where id = $1`, [id])
}

/** What runs every night. */
async function sweep(): Promise<void> {
  const { rows } = await database.query("insert into jobs.job (name) values ('links.sweep') returning id")
  await waitFor('the sweep', async () => {
    const done = "select from jobs.job where id = $1 and state = 'completed'"
    return ((await database.query(done, [rows[0].id])).rowCount ?? 0) > 0
  })
}

test('a deployment that names a shortened hash leads to the commit whose push comes later', async () => {
  const sha = 'a1b2c3d'.padEnd(40, '0')
  const deployment = await make(it, '/api/deployments', {
    ...{ service: 'late', environment: 'production', version: '1', status: 'succeeded', commit: 'a1b2c3d' },
  })
  const commits = async () =>
    (await linksOf('deployment', deployment.id)).flatMap(({ to }) => (to.type === 'commit' ? [to.id] : []))
  assert.deepEqual(await commits(), ['a1b2c3d'])
  await age('records.deployments', deployment.id)
  await sendFromGitHub(it, 'push', {
    ...{ ref: 'refs/heads/main', repository: { name: 'late' } },
    commits: [{ id: sha, timestamp: '2026-03-02T08:00:00Z' }],
  })
  assert.deepEqual(await commits(), [sha])
})

test('the sweep finds the ticket that came after the session whose prompt has its address', async () => {
  const url = 'https://github.com/shop/late/issues/5'
  const early = await session(it, { prompt: `Fix ${url}, please.` })
  assert.deepEqual(await linksOf('session', early.id), [])
  await age('transcripts.sessions', early.id)
  const ticket = await make(it, '/api/tickets', { title: 'Late', url })
  assert.deepEqual(await linksOf('session', early.id), [])
  await sweep()
  assert.deepEqual(
    (await linksOf('session', early.id)).map(({ to, how, evidence }) => [to.id, how, evidence]),
    [[ticket.id, 'exact', 'The first prompt has the address of the ticket.']],
  )
})

test('a session that is unlinked on the page of an initiative costs it nothing from then on', async () => {
  const initiative = await make(it, '/api/initiatives', { title: 'Unlinked' })
  const work = await session(it, { prompt: 'Go on.' })
  // 1,000 tokens in, 500 out: 0.001 + 0.001.
  await ask(it, work.key, 1_000, 500)
  const linked = await make(it, `/api/initiatives/${initiative.id}/links`, {
    ...{ kind: 'transcript', target: work.id },
  })
  const [link] = (linked as unknown as { links: { id: string }[] }).links
  const exact = async () => (await costs(`type=initiative&id=${initiative.id}`)).exact
  assert.equal(await exact(), '0.002')
  await age('initiatives.initiatives', initiative.id)
  await age('transcripts.sessions', work.id)
  const path = `/api/initiatives/${initiative.id}/links/${link?.id}`
  assert.ok((await it.call(path, { method: 'DELETE' })).status < 300)
  assert.equal(await exact(), '0')
})

test('a link of a person to a deleted thing does not count, and the sweep deletes it', async () => {
  const [kept, deleted] = [
    await make(it, '/api/tickets', { title: 'Kept' }),
    await make(it, '/api/tickets', { title: 'Deleted' }),
  ]
  const work = await session(it, { prompt: 'Go on.' })
  // 0.003 + 0.001, divided between the two.
  await ask(it, work.key, 3_000, 500)
  const from = { type: 'session', id: work.id }
  for (const to of [
    { type: 'ticket', id: kept.id },
    { type: 'ticket', id: deleted.id },
    { type: 'pull_request', id: pullRequest },
  ])
    await make(it, '/api/v1/links', { from, to })
  assert.equal((await costs(`type=ticket&id=${kept.id}`)).shared, '0.002')
  assert.equal((await it.call(`/api/tickets/${deleted.id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await costs(`type=ticket&id=${kept.id}`)).exact, '0.004')
  const all = await costs('type=ticket')
  assert.deepEqual(
    all.data.map(({ title, total }: { title: string; total: string }) => [title, total]),
    [['Kept', '0.004']],
  )
  await sweep()
  const { rows } = await database.query(
    `select to_id from links.links where from_id = $1 and how = 'person' order by to_type`,
    [work.id],
  )
  assert.deepEqual(
    rows.map(({ to_id: to }) => to),
    [pullRequest, kept.id],
  )
})

test('a request that a person linked to a ticket that is deleted belongs to its session again', async () => {
  const [kept, deleted] = [
    await make(it, '/api/tickets', { title: 'Of the session' }),
    await make(it, '/api/tickets', { title: 'Of the request' }),
  ]
  const work = await session(it, { prompt: 'Go on.' })
  const exact = async () => (await costs(`type=ticket&id=${kept.id}`)).exact
  const request = await ask(it, work.key, 1_000, 500)
  await make(it, '/api/v1/links', {
    from: { type: 'session', id: work.id },
    to: { type: 'ticket', id: kept.id },
  })
  assert.equal(await exact(), '0.002')
  await make(it, '/api/v1/links', {
    from: { type: 'request', id: request },
    to: { type: 'ticket', id: deleted.id },
  })
  assert.equal(await exact(), '0')
  assert.equal((await it.call(`/api/tickets/${deleted.id}`, { method: 'DELETE' })).status, 204)
  assert.equal(await exact(), '0.002')
})
