import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, databaseOf } from '#test/database'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import { createHook, hmac, send, sendFromGitHub, sendGeneric } from './testing-hooks.ts'

/** Replicas share it. */
const masterKey = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const product = await startProduct(masterKey)
const { call } = product

const deployment = (state: string, at: string, sha = 'a'.repeat(40), id = 7) => ({
  deployment_status: { state, created_at: at, updated_at: at, environment: 'production' },
  deployment: { id, sha, ref: 'main', created_at: '2026-03-02T10:00:00Z' },
  repository: { name: 'checkout' },
})

async function deploymentsOf(service: string): Promise<Record<string, unknown>[]> {
  return (await call(`/api/deployments?service=${service}`)).json.data
}

test('deliveries of one deployment make one record, in whatever order they come', async () => {
  const hook = await createHook(product, 'github')
  for (const [state, at] of [
    ['success', '2026-03-02T10:04:00Z'],
    ['in_progress', '2026-03-02T10:01:00Z'],
    ['pending', '2026-03-02T10:00:01Z'],
  ] as const)
    assert.equal(
      (await sendFromGitHub(product, hook, 'deployment_status', deployment(state, at))).status,
      202,
    )
  const [row, ...more] = await deploymentsOf('checkout')
  assert.equal(more.length, 0)
  assert.equal(row?.['status'], 'succeeded')
  assert.equal(row['started_at'], '2026-03-02T10:00:00.000Z')
  assert.equal(row['finished_at'], '2026-03-02T10:04:00.000Z')
})

test('a deployment whose end is not named ended when that was said, and a rollback does not move its end', async () => {
  const hook = await createHook(product, 'generic')
  const report = (id: string, status: string, times: object = {}) =>
    sendGeneric(product, hook, {
      kind: 'deployment',
      id,
      service: `named-${id}`,
      status,
      started_at: '2026-03-02T10:00:00Z',
      ...times,
    })
  const only = async (id: string) => (await deploymentsOf(`named-${id}`))[0]
  const before = Date.now()
  await report('bare', 'started')
  await report('bare', 'succeeded')
  assert.equal((await only('bare'))?.['status'], 'succeeded')
  assert.ok(Date.parse(String((await only('bare'))?.['finished_at'])) >= before - 1_000)

  await report('rolled-back', 'succeeded', { finished_at: '2026-03-02T10:04:00Z' })
  await report('rolled-back', 'rolled_back')
  const { status, finished_at: finished } = (await only('rolled-back')) ?? {}
  assert.deepEqual([status, finished], ['rolled_back', '2026-03-02T10:04:00.000Z'])
  await report('changed', 'succeeded', { finished_at: '2026-03-02T10:04:00Z' })
  await report('changed', 'rolled_back', { changed_at: '2026-03-02T14:00:00Z' })
  assert.equal((await only('changed'))?.['finished_at'], '2026-03-02T10:04:00.000Z')
})

test('the end of a ticket does not move when the ticket is changed later', async () => {
  const hook = await createHook(product, 'generic')
  const report = (title: string, changedAt: string) =>
    sendGeneric(product, hook, { kind: 'ticket', id: 'T-1', title, status: 'done', changed_at: changedAt })
  await report('Reciepts', '2026-03-01T09:00:00Z')
  await report('Receipts that are edited', '2026-03-20T09:00:00Z')
  const { json } = await call('/api/tickets?status=done&limit=200')
  const ticket = json.data.find((each: { external_id: string | null }) => each.external_id === 'T-1')
  assert.deepEqual(
    [ticket.title, ticket.completed_at],
    ['Receipts that are edited', '2026-03-01T09:00:00.000Z'],
  )
})

test('a commit time is known to a deployment whether the push comes before it or after', async () => {
  const hook = await createHook(product, 'github')
  const push = (sha: string) => ({
    ref: 'refs/heads/main',
    repository: { name: 'lead' },
    commits: [{ id: sha, timestamp: '2026-03-02T08:00:00Z' }],
  })
  const deploy = (sha: string, id: number) => ({
    ...deployment('success', '2026-03-02T10:04:00Z', sha, id),
    repository: { name: 'lead' },
  })
  await sendFromGitHub(product, hook, 'push', push('1'.repeat(40)))
  await sendFromGitHub(product, hook, 'deployment_status', deploy('1'.repeat(40), 101))
  await sendFromGitHub(product, hook, 'deployment_status', deploy('2'.repeat(40), 102))
  await sendFromGitHub(product, hook, 'push', push('2'.repeat(40)))
  const rows = await deploymentsOf('lead')
  assert.deepEqual(
    rows.map((row) => row['committed_at']),
    ['2026-03-02T08:00:00.000Z', '2026-03-02T08:00:00.000Z'],
  )
})

test('the same delivery twice is processed once: by its ID, and by its content', async () => {
  const hook = await createHook(product, 'github')
  const payload = { ...deployment('failure', '2026-03-03T10:04:00Z', 'b'.repeat(40), 8) }
  const headers = { 'x-github-delivery': '5e0f7a34-0000-4000-8000-000000000001' }
  const first = await sendFromGitHub(product, hook, 'deployment_status', payload, { headers })
  assert.equal(first.json.duplicate, false)
  assert.equal(first.json.status, 'processed')
  const again = await sendFromGitHub(product, hook, 'deployment_status', payload, { headers })
  assert.equal(again.status, 200)
  assert.deepEqual(again.json, { ...first.json, duplicate: true })
  // The ID is not signed: who captured a delivery could change it.
  const renamed = await sendFromGitHub(product, hook, 'deployment_status', payload)
  assert.equal(renamed.json.duplicate, true)
  const list = await call(`/api/webhooks/deliveries?hook_id=${hook.id}`)
  assert.equal(list.json.data.length, 1)
})

test('the same delivery many times at once is processed once', async () => {
  const hook = await createHook(product, 'generic')
  const item = { kind: 'event', type: 'sync', title: 'Once only' }
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendGeneric(product, hook, item)))
  assert.equal(answers.filter(({ json }) => json.duplicate === false).length, 1)
})

test('a body that says nothing about its time is a repetition for ten minutes, and another event afterwards, on every replica', async () => {
  const hook = await createHook(product, 'generic')
  const replica = await startProduct(masterKey, product.target)
  const item = { kind: 'event', type: 'sync', source: 'hourly', title: 'Backup finished' }
  const dated = { ...item, at: '2026-03-02T10:00:00Z' }
  /** As if everything had come so much earlier. */
  const later = (minutes: number) =>
    administer(
      `update webhooks.deliveries set received_at = received_at - interval '${minutes} min' where hook_id = '${hook.id}'`,
      databaseOf(product),
    )
  const isRepetition = async (payload: object, to = product): Promise<boolean> =>
    (await sendGeneric(to, hook, payload)).json.duplicate

  assert.equal(await isRepetition(item), false)
  assert.equal(await isRepetition([dated, item]), false)
  assert.equal(await isRepetition(dated), false)
  await later(9)
  assert.equal(await isRepetition(item), true)
  assert.equal(await isRepetition(item, replica), true)
  await later(2)
  const both = Array.from({ length: 8 }, (_, n) => isRepetition(item, n % 2 === 0 ? product : replica))
  assert.equal((await Promise.all(both)).filter((repeated) => !repeated).length, 1)
  assert.equal(await isRepetition([dated, item]), false)
  assert.equal(await isRepetition(dated), true)
  await later(11)
  assert.equal(await isRepetition(item), false)
  const { json } = await call(`/api/webhooks/deliveries?hook_id=${hook.id}`)
  assert.equal(json.data.length, 6)
  await waitFor('the events', async () => {
    const { json: shown } = await call('/api/console/events?source=hourly')
    return shown.data.length === 8
  })
})

test('a delivery of GitHub that is sent again with another ID is a repetition, however late', async () => {
  const hook = await createHook(product, 'github')
  const payload = deployment('success', '2026-03-02T10:04:00Z', 'd'.repeat(40), 11)
  assert.equal((await sendFromGitHub(product, hook, 'deployment_status', payload)).json.duplicate, false)
  await administer(
    `update webhooks.deliveries set received_at = received_at - interval '1 day' where hook_id = '${hook.id}'`,
    databaseOf(product),
  )
  assert.equal((await sendFromGitHub(product, hook, 'deployment_status', payload)).json.duplicate, true)
})

test('JSON that is no object is answered with what is expected, and not called invalid JSON', async () => {
  const [github, generic] = [await createHook(product, 'github'), await createHook(product, 'generic')]
  for (const value of [7, 'x', null, true]) {
    const ignored = await sendFromGitHub(product, github, 'push', value)
    assert.deepEqual([ignored.status, ignored.json.reason], [202, 'The body must be a JSON object.'])
    const refused = await sendGeneric(product, generic, value)
    assert.deepEqual(
      [refused.status, refused.json.error?.message],
      [400, 'body must be an object or an array of objects.'],
    )
    const inArray = await sendGeneric(product, generic, [value])
    assert.deepEqual([inArray.status, inArray.json.error?.message], [400, '0 must be an object.'])
  }
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hmac(github.secret, '{')}` }
  const broken = await send(product, github, '{', { headers })
  assert.deepEqual([broken.status, broken.json.reason], [202, 'The body is not valid JSON.'])
})

test('a delivery that a crash has cut off is processed without being sent again, but not for ever', async () => {
  const hook = await createHook(product, 'github')
  const cutOff = async (id: number, attempts: number): Promise<string> => {
    const payload = { ...deployment('success', '2026-03-04T10:04:00Z', 'c'.repeat(40), id) }
    const { json } = await sendFromGitHub(product, hook, 'deployment_status', {
      ...payload,
      repository: { name: 'cut-off' },
    })
    // As a killed process leaves it: stored, and not processed.
    await administer(
      `update webhooks.deliveries set status = 'pending', attempts = ${attempts}, started_at = now() - interval '61 s'
       where id = '${json.id}'`,
      databaseOf(product),
    )
    return json.id
  }
  const first = await cutOff(71, 1)
  const often = await cutOff(72, 5)
  await administer(`delete from records.deployments where service = 'cut-off'`, databaseOf(product))
  const next = await startProduct(masterKey, product.target)
  const delivery = async (id: string) => (await next.call(`/api/webhooks/deliveries/${id}`)).json
  await waitFor('the first delivery', async () => (await delivery(first)).status === 'processed')
  assert.equal((await delivery(first)).attempts, 2)
  assert.equal((await deploymentsOf('cut-off')).length, 1)
  assert.equal((await delivery(often)).status, 'failed')
  assert.match((await delivery(often)).reason, /cut off too often/)
})

test('a replay that is cut off does not repeat the events of its delivery', async () => {
  const hook = await createHook(product, 'generic')
  const event = {
    kind: 'event',
    type: 'sync',
    source: 'cut-off-replay',
    title: 'Backup finished',
    at: new Date().toISOString(),
  }
  const { json } = await sendGeneric(product, hook, event)
  const shown = async () => (await call('/api/console/events?source=cut-off-replay')).json.data.length
  await waitFor('the event', async () => (await shown()) === 1)
  // As a process that was killed during the replay leaves it.
  const cutOff = () =>
    administer(
      `update webhooks.deliveries set status = 'pending', started_at = now() - interval '61 s' where id = '${json.id}'`,
      databaseOf(product),
    )
  await cutOff()
  // The sender may be the first who comes.
  assert.equal((await sendGeneric(product, hook, event)).status, 202)
  await cutOff()
  const next = await startProduct(masterKey, product.target)
  const delivery = async () => (await next.call(`/api/webhooks/deliveries/${json.id}`)).json
  await waitFor('the end of the replay', async () => (await delivery()).status === 'processed')
  // What it emitted is stored before.
  await next.stop()
  assert.equal(await shown(), 1)
})

test('what nothing follows from is stored, answered with the reason, and tried again when it is sent again', async () => {
  const hook = await createHook(product, 'github')
  const star = await sendFromGitHub(product, hook, 'star', { action: 'created' })
  assert.equal(star.status, 202)
  assert.deepEqual([star.json.status, star.json.reason], ['ignored', 'The event "star" is not used.'])
  const again = await sendFromGitHub(product, hook, 'star', { action: 'created' })
  assert.equal(again.json.duplicate, true)
  const [row] = (await call(`/api/webhooks/deliveries?hook_id=${hook.id}&status=ignored`)).json.data
  assert.deepEqual([row.event, row.attempts, row.status], ['star', 2, 'ignored'])
  const detail = await call(`/api/webhooks/deliveries/${row.id}`)
  assert.equal(detail.json.body, '{"action":"created"}')
  const { json: hooks } = await call('/api/webhooks')
  assert.equal(hooks.data.find((each: { id: string }) => each.id === hook.id).last_status, 'ignored')
})

test('a replay applies the current settings of the webhook', async () => {
  const hook = await createHook(product, 'github')
  const run = {
    action: 'completed',
    workflow_run: {
      id: 99,
      name: 'Ship it',
      conclusion: 'success',
      head_branch: 'main',
      run_started_at: '2026-03-02T10:00:00Z',
      updated_at: '2026-03-02T10:06:00Z',
    },
    repository: { name: 'replayed' },
  }
  const { json } = await sendFromGitHub(product, hook, 'workflow_run', run)
  assert.equal((await deploymentsOf('replayed')).length, 0)
  await call(`/api/webhooks/${hook.id}`, { method: 'PATCH', json: { deploy_workflows: ['Ship it'] } })
  const replay = await call(`/api/webhooks/deliveries/${json.id}/replay`, { method: 'POST' })
  assert.equal(replay.status, 200)
  assert.equal(replay.json.status, 'processed')
  assert.equal((await deploymentsOf('replayed'))[0]?.['status'], 'succeeded')
})

test('an alert of a registered service opens an incident, and its end closes it', async () => {
  const hook = await createHook(product, 'alertmanager')
  const service = await call('/api/services', { json: { name: 'payments' } })
  assert.equal(service.status, 201, service.text)
  const alert = (status: string, endsAt: string) =>
    JSON.stringify({
      version: '4',
      status,
      alerts: [
        {
          status,
          labels: { alertname: 'Down', service: 'payments' },
          annotations: { summary: 'Payments are down' },
          startsAt: '2026-03-02T10:00:00Z',
          endsAt,
          fingerprint: 'f1',
        },
      ],
    })
  const headers = { authorization: `Bearer ${hook.secret}` }
  await send(product, hook, alert('resolved', '2026-03-02T10:20:00Z'), { headers })
  const late = await send(product, hook, alert('firing', '0001-01-01T00:00:00Z'), { headers })
  assert.equal(late.json.status, 'processed')
  const { json } = await call('/api/incidents?service=payments')
  assert.deepEqual(
    json.data.map((row: Record<string, unknown>) => [
      row['cause'],
      row['source'],
      row['opened_at'],
      row['closed_at'],
    ]),
    [['Payments are down', 'alertmanager', '2026-03-02T10:00:00.000Z', '2026-03-02T10:20:00.000Z']],
  )
})

test('a wrong generic item answers 400 with its field and is kept for a look', async () => {
  const hook = await createHook(product, 'generic')
  const wrong = await sendGeneric(product, hook, {
    kind: 'deployment',
    id: '1',
    service: 'x',
    status: 'gone',
  })
  assert.equal(wrong.status, 400)
  assert.equal(wrong.json.error.param, 'status')
  const [row] = (await call(`/api/webhooks/deliveries?hook_id=${hook.id}`)).json.data
  assert.equal(row.status, 'ignored')
  const unknown = await sendGeneric(product, hook, { kind: 'weather' })
  assert.deepEqual(
    [unknown.status, unknown.json.error.message],
    [400, 'kind must be one of deployment, ticket, alert, commits, pull_request, event.'],
  )
})

test('a key named like the prototype of objects stays in the metadata of an event', async () => {
  const hook = await createHook(product, 'generic')
  const metadata = JSON.parse('{"__proto__":{"a":1},"b":2}') as object
  await sendGeneric(product, hook, {
    kind: 'event',
    type: 'sync',
    source: 'odd-keys',
    title: 'Odd',
    metadata,
  })
  const event = await waitFor('the event', async () => {
    return (await call('/api/console/events?source=odd-keys')).json.data[0]
  })
  const shown = new Map(Object.entries(event.metadata))
  assert.deepEqual([shown.get('__proto__'), shown.get('b')], [{ a: 1 }, 2])
  for (const wrong of [[], 'x', null]) {
    const item = { kind: 'event', type: 'sync', title: 'x', metadata: wrong }
    assert.equal((await sendGeneric(product, hook, item)).json.error?.param, 'metadata')
  }
})

test('pages of deliveries neither repeat nor miss one', async () => {
  const hook = await createHook(product, 'github')
  for (let n = 0; n < 5; n++) await sendFromGitHub(product, hook, 'star', { n })
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await call(
      `/api/webhooks/deliveries?hook_id=${hook.id}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    seen.push(...page.json.data.map(({ id }: { id: string }) => id))
    cursor = page.json.next_cursor
  }
  assert.equal(seen.length, 5)
  assert.deepEqual(seen, [...new Set(seen)].toSorted().toReversed())
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'status=gone'])
    assert.equal((await call(`/api/webhooks/deliveries?${query}`)).status, 400, query)
})
