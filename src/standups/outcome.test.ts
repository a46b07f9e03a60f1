import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'
import { listen, newInitiative, proposalsIn, turnOver } from './testing-standup.ts'

const server = await startGateway({ STANDUP_MODEL: exampleModels.openai, RUNTIME: 'builtin' })
const { fake, call } = server

type Decided = {
  id: string
  title: string
  status: string
  supersedes: string | null
  superseded_by: string | null
}

async function opened(initiative: Awaited<ReturnType<typeof newInitiative>>) {
  fake.script('openai', { text: 'Hello.' })
  const listener = await listen(server, initiative.standup)
  await turnOver(listener, 1)
  return listener
}

async function decide(path: string, title: string, supersedes?: string): Promise<Decided> {
  const { json } = await call(`${path}/decisions`, {
    json: { title, decision: `${title}.`, ...(supersedes !== undefined && { supersedes }) },
  })
  return json.decisions.find((each: Decided) => each.title === title)
}

test('the agent proposes that a decision supersedes another; approving it does both, and only the status of the old one changes', async () => {
  const initiative = await newInitiative(server)
  const other = await newInitiative(server)
  const foreign = await decide(other.path, 'Elsewhere')
  const oldest = await decide(initiative.path, 'Ask for an account')
  const current = await decide(initiative.path, 'Ask for a phone number', oldest.id)
  const listener = await opened(initiative)
  const proposal = { title: 'Keep guest checkout', decision: 'Guests may buy.' }
  const given = (supersedes: string) => ({
    name: 'propose_decision',
    arguments: { ...proposal, supersedes },
  })
  fake.script('openai', {
    text: '',
    toolCalls: [given(foreign.id), given('0198c0de-made-up'), given(oldest.id), given(current.id)],
  })
  fake.script('openai', { text: 'Written down.' })
  await initiative.say('We keep guest checkout after all.')
  await turnOver(listener, 2)
  // Of another initiative, made up, or superseded already: refused, with an error for the model.
  const results = JSON.stringify(fake.requests.at(-1)?.json)
  assert.equal(results.split('has no decision with that ID').length - 1, 2)
  assert.match(results, new RegExp(`was superseded by ${current.id}`))
  assert.deepEqual(
    proposalsIn(listener).map((each) => (each.kind === 'decision' ? each.supersedes : undefined)),
    [{ id: current.id, title: 'Ask for a phone number' }],
  )
  fake.script('openai', { text: 'Guest checkout stays.' })
  const { json: end } = await initiative.end()
  const [notes, record] = end.artifacts
  assert.match(
    notes.content,
    /Keep guest checkout: Guests may buy\. \(proposed, not decided, supersedes “Ask for a phone number”\)/,
  )
  const line = `**Supersedes:** [Ask for a phone number](</initiatives/${initiative.id}?decision=${current.id}>)`
  assert.ok(record.content.includes(line), record.content)
  const statuses = async () =>
    (await call(initiative.path)).json.decisions.map(({ title, status }: Decided) => `${title}: ${status}`)
  assert.deepEqual((await statuses()).toSorted(), [
    'Ask for a phone number: accepted',
    'Ask for an account: superseded',
  ])
  const approve = (content: string) =>
    call(`${initiative.standup}/artifacts/${record.id}/approve`, { json: { content } })
  const bad = await approve(record.content.replace(line, '**Supersedes:** the other one'))
  assert.deepEqual([bad.status, bad.json.error.param], [400, 'content'])
  const taken = await approve(record.content.replace(current.id, oldest.id))
  assert.equal(taken.status, 409)
  assert.equal((await statuses()).length, 2)
  assert.equal((await approve(record.content)).status, 200)
  const { decisions } = (await call(initiative.path)).json as { decisions: Decided[] }
  const newest = decisions.find(({ title }) => title === 'Keep guest checkout')
  const replaced = decisions.find(({ id }) => id === current.id)
  assert.deepEqual(
    [newest?.supersedes, newest?.status, replaced?.status, replaced?.superseded_by],
    [current.id, 'accepted', 'superseded', newest?.id],
  )
})

test('a person who takes the line out of the document records a decision that supersedes nothing', async () => {
  const initiative = await newInitiative(server)
  const before = await decide(initiative.path, 'Ask for an account')
  const listener = await opened(initiative)
  const proposal = { title: 'Keep guests', decision: 'Guests may buy.', supersedes: before.id }
  fake.script('openai', { text: '', toolCalls: [{ name: 'propose_decision', arguments: proposal }] })
  fake.script('openai', { text: 'Written down.' })
  await initiative.say('We keep them.')
  await turnOver(listener, 2)
  fake.script('openai', { text: 'They stay.' })
  const [, record] = (await initiative.end()).json.artifacts
  const content = record.content.replace(/ {2}\n\*\*Supersedes:.*$/m, '')
  const path = `${initiative.standup}/artifacts/${record.id}/approve`
  assert.equal((await call(path, { json: { content } })).status, 200)
  const { decisions } = (await call(initiative.path)).json as { decisions: Decided[] }
  assert.deepEqual(
    decisions.map(({ status, supersedes }) => [status, supersedes]),
    [
      ['accepted', null],
      ['accepted', null],
    ],
  )
})

test('the brief counts the deployments and devlogs that are linked, and those of the group where none is', async () => {
  const initiative = await newInitiative(server)
  const deploy = async (version: string, status: string): Promise<string> => {
    const json = { service: 'checkout', environment: 'production', version, status }
    return (await call('/api/deployments', { json })).json.id
  }
  const ours = await deploy('1.0.0', 'succeeded')
  await deploy('2.0.0', 'failed')
  const devlog = { title: 'Load test', log_type: 'note', content: 'p95 was 210 ms' }
  await call('/api/devlogs', { json: devlog })
  await call(`${initiative.path}/links`, { json: { kind: 'deployment', target: ours, title: 'Checkout' } })
  const { brief } = await (await opened(initiative)).next('brief')
  const { recent, ...counts } = brief.deployments
  assert.deepEqual(counts, { scope: 'initiative', succeeded: 1, failed: 0 })
  assert.deepEqual(
    recent.map(({ title }) => title),
    ['checkout 1.0.0 succeeded'],
  )
  assert.deepEqual([brief.devlogs.scope, brief.devlogs.count], ['group', 1])
  const [notes] = (await initiative.end()).json.artifacts
  assert.match(notes.content, /- Deployments: 1 succeeded, 0 failed\n- Devlogs of the group: 1\n/)
})

test('the search finds what was said once a stand-up is over, in its group alone', async () => {
  const initiative = await newInitiative(server, 'Checkout for guests')
  const listener = await opened(initiative)
  fake.script('openai', { text: 'The zebra migration is finished.' })
  await initiative.say('How is it?')
  await turnOver(listener, 2)
  const search = async (headers: Record<string, string> = {}) => {
    const json = { query: 'zebra migration', kinds: ['standup'] }
    return (await call('/api/v1/search', { json, headers })).json.results as { url: string; title: string }[]
  }
  assert.deepEqual(await search(), [])
  const { json } = await initiative.end(false)
  const [found] = await waitFor('the stand-up in the index', async () => {
    const results = await search()
    return results.length > 0 && results
  })
  assert.deepEqual(
    [found?.title, found?.url],
    ['Stand-up: Checkout for guests', `/initiatives/${initiative.id}/standup?session=${json.session_id}`],
  )
  const group = (await call('/api/v1/groups', { json: { name: 'Other' } })).json.id as string
  assert.deepEqual(await search({ 'x-group-id': group }), [])
})

test('the notes of a stand-up in which only the agent spoke say so', async () => {
  const initiative = await newInitiative(server)
  await opened(initiative)
  const { status, json } = await initiative.end()
  assert.equal(status, 200)
  const notes = json.artifacts.find(({ type }: { type: string }) => type === 'meeting_notes')
  assert.match(notes.content, /Only the agent spoke\./)
  assert.doesNotMatch(notes.content, /Nobody said anything/)
})
