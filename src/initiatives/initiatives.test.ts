import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testServer } from '#test/database'
import { startProduct } from '#test/product'

const it = await startProduct()
const created = async (json: object = {}): Promise<{ id: string; slug: string }> =>
  (await it.call('/api/initiatives', { method: 'POST', json: { title: 'Checkout in one step', ...json } }))
    .json

// Tests read answers freely; a wrong guess fails the assertion beside it.
// oxlint-disable-next-line typescript/no-explicit-any
async function add(id: string, what: string, json: object): Promise<Record<string, any>> {
  const answer = await it.call(`/api/initiatives/${id}/${what}`, { method: 'POST', json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json
}

test('an initiative has an address made of its title, and is found by ID and slug', async () => {
  const first = await created()
  assert.equal(first.slug, 'checkout-in-one-step')
  const second = await created()
  assert.match(second.slug, /^checkout-in-one-step-[0-9a-f]{8}$/)
  for (const name of [first.id, first.slug])
    assert.equal((await it.call(`/api/initiatives/${name}`)).json.id, first.id)
  const taken = await it.call('/api/initiatives', { method: 'POST', json: { title: 'x', slug: first.slug } })
  assert.deepEqual([taken.status, taken.json.error.param], [409, 'slug'])
  const renamed = await it.call(`/api/initiatives/${second.id}`, {
    method: 'PATCH',
    json: { slug: first.slug },
  })
  assert.equal(renamed.status, 409)
})

test('an initiative is created with its criteria, findings and open questions, in their order, or not at all', async () => {
  const names = Array.from({ length: 12 }, (_, number) => `Criterion ${number}`)
  const criteria = names.map((text, number) => (number === 0 ? { text, confidence: 40 } : { text }))
  const findings = [{ text: 'Carts are abandoned', source: 'Analytics' }, { text: 'Guests come back' }]
  const open_questions = [{ text: 'Keep guests?', category: 'direction' }]
  const json = { title: 'Made whole', slug: 'made-whole', criteria, findings, open_questions }
  const wrong = await it.call('/api/initiatives', {
    method: 'POST',
    json: { ...json, open_questions: [{ text: 'x', category: 'mood' }] },
  })
  assert.deepEqual([wrong.status, wrong.json.error.param], [400, 'open_questions.0.category'])
  assert.equal((await it.call('/api/initiatives/made-whole')).status, 404)

  const { status, json: made } = await it.call('/api/initiatives', { method: 'POST', json })
  assert.equal(status, 201)
  const texts = (list: { text: string }[]): string[] => list.map(({ text }) => text)
  assert.deepEqual(texts(made.criteria), names)
  assert.deepEqual(
    made.criteria.slice(0, 2).map((each: { confidence: number | null }) => each.confidence),
    [40, null],
  )
  assert.equal(made.criteria[0].history[0].reason, 'First estimate')
  assert.deepEqual(
    made.findings.map(({ text, source }: Record<string, string>) => [text, source]),
    [
      ['Carts are abandoned', 'Analytics'],
      ['Guests come back', 'a person'],
    ],
  )
  assert.deepEqual(
    made.open_questions.map(({ text, category }: Record<string, string>) => [text, category]),
    [['Keep guests?', 'direction']],
  )
})

test('a new confidence needs a reason, and the history keeps every step', async () => {
  const { id } = await created()
  const { criteria } = await add(id, 'criteria', { text: 'p95 below 300 ms', confidence: 40 })
  const path = `/api/initiatives/${id}/criteria/${criteria[0].id}`
  const bare = await it.call(path, { method: 'PATCH', json: { confidence: 70 } })
  assert.deepEqual([bare.status, bare.json.error.param], [400, 'reason'])
  const evidence = [{ title: 'Load test', url: '/devlogs', quote: 'p95 212 ms' }]
  await it.call(path, { method: 'PATCH', json: { confidence: 70, reason: 'Load test passed', evidence } })
  const { json } = await it.call(`/api/initiatives/${id}`)
  assert.equal(json.criteria[0].confidence, 70)
  assert.deepEqual(
    json.criteria[0].history.map((step: Record<string, unknown>) => [
      step['before'],
      step['confidence'],
      step['reason'],
    ]),
    [
      [null, 40, 'First estimate'],
      [40, 70, 'Load test passed'],
    ],
  )
  assert.deepEqual(json.criteria[0].history[1].evidence, evidence)
  for (const confidence of [-1, 101, 50.5, '70'])
    assert.equal((await it.call(path, { method: 'PATCH', json: { confidence, reason: 'x' } })).status, 400)
})

test('a question is answered, and opened again', async () => {
  const { id } = await created()
  const { open_questions } = await add(id, 'questions', { text: 'Keep guests?', category: 'direction' })
  const path = `/api/initiatives/${id}/questions/${open_questions[0].id}`
  const answered = await it.call(path, { method: 'PATCH', json: { answer: 'Yes' } })
  assert.equal(answered.json.open_questions[0].answer, 'Yes')
  assert.ok(answered.json.open_questions[0].answered_at)
  const again = await it.call(path, { method: 'PATCH', json: { answer: null } })
  assert.equal(again.json.open_questions[0].answered_at, null)
  const wrong = await it.call(`/api/initiatives/${id}/questions`, {
    method: 'POST',
    json: { text: 'x', category: 'mood' },
  })
  assert.deepEqual([wrong.status, wrong.json.error.param], [400, 'category'])
})

test('a decision never changes: a new one supersedes it, once', async () => {
  const { id } = await created()
  const { decisions } = await add(id, 'decisions', { title: 'Guests', decision: 'Guests may buy.' })
  const first = decisions[0].id
  const after = await add(id, 'decisions', {
    title: 'No guests',
    decision: 'Accounts only.',
    supersedes: first,
  })
  const [newest, oldest] = after.decisions
  assert.deepEqual([oldest.status, oldest.superseded_by, newest.supersedes], ['superseded', newest.id, first])
  const twice = await it.call(`/api/initiatives/${id}/decisions`, {
    method: 'POST',
    json: { title: 'x', decision: 'y', supersedes: first },
  })
  assert.equal(twice.status, 409)
  assert.equal((await it.call(`/api/initiatives/${id}`)).json.decisions.length, 2)
  const final = await it.call(`/api/initiatives/${id}/decisions/${first}`, {
    method: 'PATCH',
    json: { status: 'accepted' },
  })
  assert.equal(final.status, 409)
  const client = new pg.Client({ ...testServer(), database: (it.target as { database: string }).database })
  await client.connect()
  await assert.rejects(
    client.query(`update initiatives.decisions set decision = 'other'`),
    /a new one supersedes it/,
  )
  await client.end()
})

test('links name records or addresses, once each', async () => {
  const { id } = await created()
  await add(id, 'links', { kind: 'url', target: 'https://example.com/brief' })
  for (const [json, status] of [
    [{ kind: 'url', target: 'https://example.com/brief' }, 409],
    [{ kind: 'url', target: 'javascript:alert(1)' }, 400],
    [{ kind: 'transcript', target: 'not-an-id' }, 400],
  ] as const)
    assert.equal((await it.call(`/api/initiatives/${id}/links`, { method: 'POST', json })).status, status)
})

test('the list counts what is open and pages by cursor', async () => {
  const { id } = await created({ slug: 'counted' })
  await add(id, 'criteria', { text: 'a', confidence: 80 })
  await add(id, 'criteria', { text: 'b', confidence: 30 })
  await add(id, 'questions', { text: 'c', category: 'priority' })
  await it.call('/api/tickets', { method: 'POST', json: { title: 't', initiative_id: id } })
  const page = await it.call('/api/initiatives?limit=1')
  const { criteria_count, confidence, open_questions, open_tickets, last_standup_at } = page.json.data[0]
  assert.deepEqual(
    [criteria_count, confidence, open_questions, open_tickets, last_standup_at],
    [2, 30, 1, 1, null],
  )
  assert.deepEqual(page.json.data[0].confidences, [80, 30])
  const next = await it.call(`/api/initiatives?limit=1&cursor=${page.json.next_cursor}`)
  assert.notEqual(next.json.data[0].id, id)
  assert.equal((await it.call('/api/initiatives?cursor=x')).status, 400)
  assert.equal((await it.call('/api/initiatives?status=sleeping')).status, 400)
})

test('a new initiative has room for as many findings and questions as one has later', async () => {
  const findings = Array.from({ length: 500 }, (_, number) => ({ text: `Finding ${number}` }))
  const open_questions = findings.map(({ text }) => ({ text, category: 'direction' }))
  const json = { title: 'Full', findings, open_questions }
  const { status, json: made } = await it.call('/api/initiatives', { method: 'POST', json })
  assert.deepEqual([status, made.findings?.length, made.open_questions?.length], [201, 500, 500])
  const later = await it.call(`/api/initiatives/${made.id}/findings`, {
    method: 'POST',
    json: { text: 'One more' },
  })
  assert.deepEqual(
    [later.status, later.json.error.message],
    [409, 'An initiative has at most 500 findings. Remove one first.'],
  )
  for (const [field, list] of Object.entries({ findings, open_questions })) {
    const refused = await it.call('/api/initiatives', {
      method: 'POST',
      json: { ...json, [field]: [...list, list[0]] },
    })
    assert.deepEqual([refused.status, refused.json.error.param], [400, field])
  }
})

test('another group sees none of it', async () => {
  const { id } = await created()
  const other = (await it.call('/api/v1/groups', { method: 'POST', json: { name: 'Other' } })).json
  const headers = { 'x-group-id': other.id as string }
  assert.equal((await it.call(`/api/initiatives/${id}`, { headers })).status, 404)
  const json = { text: 'x' }
  assert.equal(
    (await it.call(`/api/initiatives/${id}/findings`, { method: 'POST', json, headers })).status,
    404,
  )
  assert.equal((await it.call(`/api/initiatives/${id}`, { method: 'DELETE', headers })).status, 404)
  assert.equal((await it.call('/api/initiatives', { headers })).json.data.length, 0)
})

test('a deleted initiative is gone with all that belongs to it', async () => {
  const { id } = await created()
  await add(id, 'criteria', { text: 'a', confidence: 10 })
  assert.equal((await it.call(`/api/initiatives/${id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await it.call(`/api/initiatives/${id}`)).status, 404)
})
