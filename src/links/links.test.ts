import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { clientConfig } from '#kernel/db'
import { exampleModels, startGateway } from '#test/gateway'
import { personWith } from '#test/people'
import { waitFor } from '#test/wait'
import { ask, make, pullRequest, session, sha, tellStory } from './testing-story.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const it = await startGateway()
const story = await tellStory(it)
const database = new pg.Client(clientConfig(it.target))
await database.connect()
close = () => database.end()

interface Shown {
  id: string
  from: { type: string; id: string; title: string; url: string | null }
  to: { type: string; id: string; title: string; url: string | null }
  relation: string
  how: string
  evidence: string
  confidence: number
}

const linksOf = async (type: string, id: string): Promise<Shown[]> => {
  const answer = await it.call(`/api/v1/links?type=${type}&id=${encodeURIComponent(id)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data
}
interface Step {
  thing: Shown['from'] & { data: Record<string, unknown> }
  link: Shown
}

const why = async (type: string, id: string, more = ''): Promise<Step[]> =>
  (await it.call(`/api/v1/why?type=${type}&id=${encodeURIComponent(id)}${more}`)).json.chain
const said = ({ from, relation, to, how, confidence }: Shown): string =>
  `${from.type} ${relation} ${to.type}: ${how} ${confidence}`

test('a deployment leads to the decision over five hops, each with its evidence', async () => {
  const chain = await why('deployment', story.deployment)
  assert.deepEqual(
    chain.map(({ thing }) => [thing.type, thing.id]),
    [
      ['deployment', story.deployment],
      ['commit', sha],
      ['pull_request', pullRequest],
      ['session', story.work.id],
      ['ticket', story.ticket],
      ['decision', story.decision],
      ['initiative', story.initiative],
    ],
  )
  assert.equal(chain[0]?.link, null)
  assert.deepEqual(
    chain.slice(1).map(({ link }) => [said(link), link.evidence]),
    [
      ['deployment deploys commit: exact 1', 'The deployment names commit ccccccc.'],
      ['commit part_of pull_request: exact 1', 'The pull request was merged as ccccccc.'],
      ['pull_request written_in session: exact 1', 'The session recorded that it opened the pull request.'],
      ['session works_on ticket: exact 1', 'The first prompt has the address of the ticket.'],
      ['ticket follows_from decision: exact 1', 'The description of the ticket names the decision.'],
      ['decision belongs_to initiative: exact 1', 'The decision is one of the initiative.'],
    ],
  )
})

test('the chain shows the prompt, and how sure people were on the day of the decision', async () => {
  const chain = await why('deployment', story.deployment)
  const dataOf = (type: string): Record<string, unknown> =>
    chain.find(({ thing }) => thing.type === type)?.thing.data ?? {}
  assert.equal(dataOf('session')['prompt'], 'Fix https://github.com/shop/checkout/issues/12, please.')
  assert.equal(dataOf('decision')['decision'], 'Lines are not rounded.')
  assert.deepEqual(dataOf('decision')['criteria'], [{ text: 'No total is off by a cent', confidence: 40 }])
})

test('things are named by titles and lead to their pages', async () => {
  const chain = await why('deployment', story.deployment)
  assert.deepEqual(
    chain.map(({ thing }) => thing.title),
    [
      'checkout 1.4.0 to production',
      'Commit ccccccc',
      'Round totals to the cent',
      'Fix https://github.com/shop/checkout/issues/12, please.',
      'Totals are off by one cent',
      'Round once, at the end',
      'Totals that add up',
    ],
  )
  assert.equal(chain[4]?.thing.url, `/tickets/${story.ticket}`)
})

test('an incident shortly after a deployment of its service is linked to it, and says how sure that is', async () => {
  const [link] = (await linksOf('incident', story.incident)).filter(({ to }) => to.type === 'deployment')
  assert.ok(link)
  assert.equal(said(link), 'incident caused_by deployment: inferred 0.7')
  assert.match(link.evidence, /^Opened [12] minutes after the deployment of checkout ended\.$/)
  const chain = await why('incident', story.incident)
  assert.equal(chain.at(-1)?.thing.id, story.initiative)
  assert.equal(chain.length, 8)
})

test('what a decision caused is everything below it, each thing once', async () => {
  const caused = await why('decision', story.decision, '&direction=down')
  assert.deepEqual(caused.map(({ thing }) => thing.type).toSorted(), [
    'commit',
    'commit',
    'decision',
    'deployment',
    'incident',
    'pull_request',
    'session',
    'ticket',
  ])
  assert.equal(caused[0]?.thing.id, story.decision)
})

test('a person links two things and removes the link; links that were found are not removed', async () => {
  const body = {
    ...{ from: { type: 'session', id: story.work.id }, to: { type: 'decision', id: story.decision } },
    ...{ relation: 'discussed_in', evidence: 'I was there' },
  }
  const made = await it.call('/api/v1/links', { json: body })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual([made.json.how, made.json.confidence, made.json.evidence], ['person', 1, 'I was there'])
  const again = await it.call('/api/v1/links', { json: body })
  assert.deepEqual([again.status, again.json.id], [200, made.json.id])
  const exact = (await linksOf('deployment', story.deployment)).find(({ to }) => to.type === 'commit')
  const remove = (id: string) => it.call(`/api/v1/links/${id}`, { method: 'DELETE' })
  assert.equal((await remove(exact?.id ?? '')).status, 409)
  assert.equal((await it.call(`/api/v1/links/${exact?.id}/dismiss`, { method: 'POST' })).status, 409)
  assert.equal((await remove(made.json.id)).status, 204)
  assert.equal((await remove(made.json.id)).status, 404)
})

test('a dismissed link is not shown, walked or found again', async () => {
  const other = await make(it, '/api/tickets', {
    title: 'Other',
    url: 'https://tracker.example/browse/SHOP-31',
  })
  const work = await session(it, { prompt: 'Do it', branch: 'feature/SHOP-31-receipts' })
  const found = async () => (await linksOf('session', work.id)).filter(({ to }) => to.id === other.id)
  const [link] = await found()
  assert.equal(link && said(link), 'session works_on ticket: inferred 0.9')
  assert.equal(link?.evidence, 'The branch feature/SHOP-31-receipts of the session names the ticket.')
  assert.equal((await it.call(`/api/v1/links/${link?.id}`, { method: 'DELETE' })).status, 409)
  assert.equal((await it.call(`/api/v1/links/${link?.id}/dismiss`, { method: 'POST' })).status, 204)
  await database.query('delete from links.cursors')
  assert.deepEqual(await found(), [])
  assert.equal((await why('session', work.id)).length, 1)
})

test('what a thing says changes its links', async () => {
  const ticket = await make(it, '/api/tickets', { title: 'Moves', initiative_id: story.initiative })
  const initiativeOf = async () =>
    (await linksOf('ticket', ticket.id)).flatMap(({ to }) => (to.type === 'initiative' ? [to.id] : []))
  assert.deepEqual(await initiativeOf(), [story.initiative])
  const next = await make(it, '/api/initiatives', { title: 'Next' })
  await it.call(`/api/tickets/${ticket.id}`, { method: 'PATCH', json: { initiative_id: next.id } })
  assert.deepEqual(await initiativeOf(), [next.id])
})

const everyLink = async (): Promise<unknown[]> =>
  (await database.query('select id, from_id, to_id, relation, how from links.links order by id')).rows

test('reading everything again adds nothing, and a batch that is cut off leaves nothing behind', async () => {
  await linksOf('ticket', story.ticket)
  const before = await everyLink()
  await database.query('delete from links.cursors')
  await linksOf('ticket', story.ticket)
  assert.deepEqual(await everyLink(), before)

  await database.query(`
    create function links.fail() returns trigger language plpgsql as $$ begin
      if new.source = 'deployments' then raise exception 'killed'; end if;
      return new;
    end $$;
    create trigger fail before insert or update on links.cursors for each row execute function links.fail();
    delete from links.cursors; delete from links.links`)
  await linksOf('ticket', story.ticket)
  const relations = (await database.query('select distinct relation from links.links')).rows
  const isThere = (relation: string) => relations.some((row) => row.relation === relation)
  assert.deepEqual([isThere('follows_from'), isThere('deploys')], [true, false])
  await database.query('drop trigger fail on links.cursors')
  await linksOf('ticket', story.ticket)
  assert.equal((await everyLink()).length, before.length)
})

test("another group's things and links do not exist", async () => {
  const other = (await it.call('/api/v1/groups', { json: { name: 'Other' } })).json
  const headers = { 'x-group-id': other.id as string }
  const status = async (path: string, json?: object): Promise<number> =>
    (await it.call(path, { headers, ...(json && { json }) })).status
  for (const [type, id] of [
    ...[
      ['deployment', story.deployment],
      ['ticket', story.ticket],
      ['session', story.work.id],
    ],
    ...[
      ['decision', story.decision],
      ['initiative', 'totals-that-add-up'],
      ['incident', story.incident],
    ],
  ]) {
    assert.equal(await status(`/api/v1/links?type=${type}&id=${id}`), 404, type)
    assert.equal(await status(`/api/v1/why?type=${type}&id=${id}`), 404, type)
  }
  assert.equal(await status(`/api/v1/costs?type=ticket&id=${story.ticket}`), 404)
  const mine = await make(it, '/api/tickets', { title: 'Mine' }, headers)
  const body = { from: { type: 'ticket', id: mine.id }, to: { type: 'decision', id: story.decision } }
  assert.equal(await status('/api/v1/links', body), 404)
  const { json } = await it.call(`/api/v1/links?type=pull_request&id=${pullRequest}`, { headers })
  assert.deepEqual(json.data, [])
  const [link] = await linksOf('ticket', story.ticket)
  assert.equal((await it.call(`/api/v1/links/${link?.id}`, { method: 'DELETE', headers })).status, 404)
})

test('what cannot be meant is refused with the field that is wrong', async () => {
  const get = async (path: string) => (await it.call(path)).status
  assert.equal(await get('/api/v1/links?type=ticket'), 400)
  assert.equal(await get('/api/v1/links?type=planet&id=1'), 400)
  assert.equal(await get(`/api/v1/links?type=ticket&id=${randomUUID()}`), 404)
  assert.equal(await get('/api/v1/links?type=ticket&id=12'), 404)
  assert.equal(await get('/api/v1/links?type=commit&id=main'), 400)
  assert.equal(await get(`/api/v1/why?type=ticket&id=${story.ticket}&direction=left`), 400)
  const from = { type: 'ticket', id: story.ticket }
  const post = async (json: object) => (await it.call('/api/v1/links', { json })).status
  assert.equal(await post({ from, to: from }), 400)
  assert.equal(await post({ from, to: { type: 'commit', id: sha }, colour: 'red' }), 400)
  assert.equal(await post({ from, to: { type: 'commit', id: sha }, evidence: 'x'.repeat(1_001) }), 400)
  assert.equal(await post({ from, to: { type: 'ticket', id: randomUUID() } }), 404)
})

test('the requests of a session are its links, and a request leads to its session', async () => {
  await ask(it, story.work.key, 10, 5)
  const sent = await waitFor('the request', async () =>
    (await linksOf('session', story.work.id)).find(({ from }) => from.type === 'request'),
  )
  assert.deepEqual([sent.relation, sent.how, sent.to.id], ['sent_in', 'exact', story.work.id])
  const chain = await why('request', sent.from.id)
  assert.deepEqual(
    chain.slice(0, 3).map(({ thing }) => thing.type),
    ['request', 'session', 'ticket'],
  )
})

test('an address that no index holds is refused, and one in a session stops nobody', async () => {
  const long = `https://example.com/${'漢'.repeat(900)}`
  const { status, json } = await it.call('/api/v1/links', {
    json: { from: { type: 'pull_request', id: `${long}/1` }, to: { type: 'pull_request', id: `${long}/2` } },
  })
  assert.deepEqual([status, json.error?.param], [400, 'id'], JSON.stringify(json))
  await session(it, { prompt: 'Open it.', pullRequest: `${long}/3` })
  const after = await session(it, {
    prompt: 'Go on.',
    pullRequest: 'https://github.com/shop/checkout/pull/9',
  })
  await waitFor('the link of the next session', async () => (await linksOf('session', after.id)).length > 0)
})

test('a key that may not read runs learns that there is one, and not what it was asked', async () => {
  await make(it, '/api/agents', { id: 'worker', name: 'Worker', model: exampleModels.openai, config: {} })
  it.fake.script('openai', { text: 'Done.' })
  const run = (await it.call('/api/agents/worker/ask', { json: { request: 'A quiet plan' } })).json
    .run_id as string
  const ends = { from: { type: 'run', id: run }, to: { type: 'ticket', id: story.ticket } }
  await make(it, '/api/v1/links', { ...ends, relation: 'related' })
  const titleFor = async (scopes: string[]): Promise<unknown> => {
    const { json: made } = await it.call('/api/v1/keys', { json: { name: 'reader', scopes } })
    const { json } = await it.call(`/api/v1/links?type=run&id=${run}`, { key: made.key })
    return (json.data as Shown[]).find(({ to }) => to.type === 'ticket')?.from.title
  }
  assert.equal(await titleFor(['read', 'agents']), 'worker: A quiet plan')
  assert.equal(await titleFor(['read']), 'A run of an agent')
})

test('a change by SQL has its statement for admins, and no more than a name for others', async () => {
  const change = randomUUID()
  await database.query(
    `insert into sql.audit (group_id, seq, attempt_id, phase, kind, database, sql, truncated, sql_hash, executor,
       reason, operations, status, masked, created_at, previous_hash, hash)
     values ($1, 1, $2, 'after', 'execute', 'shop', 'update prices set cents = 1', false, '', 'person', 'A quiet reason',
       '{UPDATE}', 'executed', '{}', now(), '', '')`,
    [it.first.groupId, change],
  )
  const ends = { from: { type: 'sql_change', id: change }, to: { type: 'ticket', id: story.ticket } }
  await make(it, '/api/v1/links', { ...ends, relation: 'related' })
  const titlesFor = async (ask: typeof it.call): Promise<unknown[]> => {
    const { json: links } = await ask(`/api/v1/links?type=sql_change&id=${change}`)
    const { json: steps } = await ask(`/api/v1/why?type=sql_change&id=${change}`)
    return [links.data[0].from.title, steps.chain[0].thing.title]
  }
  const [statement, name] = ['UPDATE in shop: A quiet reason', 'A change by SQL']
  assert.deepEqual(await titlesFor(it.call), [statement, statement])
  assert.deepEqual(await titlesFor(await personWith(it, 'admin')), [statement, statement])
  assert.deepEqual(await titlesFor(await personWith(it, 'member')), [name, name])
})

test('what commits late is found, also where a full batch ended at the same moment', async () => {
  const deployment = await make(it, '/api/deployments', {
    ...{ service: 'checkout', environment: 'staging', version: '1', status: 'succeeded' },
  })
  await database.query(
    `update records.deployments set service = 'late', updated_at = now() - interval '5 minutes' where id = $1`,
    [deployment.id],
  )
  await linksOf('ticket', story.ticket)
  const services = `insert into records.services (id, group_id, name, title, interval_s, timeout_ms, expect_status,
      failures_to_open, passes_to_close, allow_private, is_public, is_paused, created_at, updated_at)
    select gen_random_uuid(), $1, name, name, 60, 1000, 200, 1, 1, false, false, false, at, at`
  // Those that are read again, and as many as fill the batch.
  await database.query(
    `${services} from (
       select 'full-' || n as name, now() as at from generate_series(1,
         500 - (select count(*)::int from links.services where changed_at > now() - interval '60 seconds')) n
     ) as given`,
    [it.first.groupId],
  )
  await linksOf('ticket', story.ticket)
  await database.query(
    `${services} from (select 'late' as name, now() - interval '20 seconds' as at) as given`,
    [it.first.groupId],
  )
  const links = await linksOf('deployment', deployment.id)
  assert.deepEqual(
    links.filter(({ relation }) => relation === 'of').map(({ to }) => to.title),
    ['late'],
  )
})
