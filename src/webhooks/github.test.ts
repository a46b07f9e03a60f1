import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { WebhookDefinition } from '@octokit/webhooks-examples'
import file from '@octokit/webhooks-examples' with { type: 'json' }
import { sign } from '@octokit/webhooks-methods'
import { startProduct } from '#test/product'
import { createHook, send } from './testing-hooks.ts'

/** GitHub's own examples, signed by GitHub's own library. */
const examples = file as unknown as WebhookDefinition[]

const product = await startProduct()
const hook = await createHook(product, 'github', { deploy_workflows: ['Manually triggered workflow'] })
const used = ['deployment_status', 'workflow_run', 'issues', 'pull_request', 'push'] as const

async function deliver(event: string, payload: object) {
  const body = JSON.stringify(payload)
  const headers = {
    'x-github-event': event,
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': await sign(hook.secret, body),
  }
  return send(product, hook, body, { headers })
}

for (const event of used)
  test(`every example of ${event} is understood`, async () => {
    const payloads = examples.find(({ name }) => name === event)?.examples ?? []
    assert.ok(payloads.length >= 4, `${payloads.length} examples`)
    const reasons = new Set<string>()
    for (const payload of payloads) {
      const { status, json } = await deliver(event, payload)
      assert.ok(status === 202 || (status === 200 && json.duplicate), `${status} ${JSON.stringify(json)}`)
      assert.ok(['processed', 'ignored'].includes(json.status), JSON.stringify(json))
      if (json.status === 'ignored') reasons.add(json.reason)
    }
    assert.deepEqual([...reasons].toSorted(), ignored[event] ?? [])
  })

/** Actions that nothing is kept of. */
const ignored: Partial<Record<(typeof used)[number], string[]>> = {
  pull_request: [
    'assigned',
    'converted_to_draft',
    'labeled',
    'locked',
    'review_request_removed',
    'review_requested',
    'synchronize',
    'unassigned',
    'unlabeled',
    'unlocked',
  ].map((action) => `A pull request that is "${action}" is not used.`),
}

test('the examples became deployments and tickets', async () => {
  // The examples tell of one deployment at different times; the latest one says that it is running again.
  const { json } = await product.call('/api/deployments')
  const rows = json.data as Record<string, unknown>[]
  assert.deepEqual(
    rows.map((row) => [row['external_id'], row['service'], row['status'], row['started_at']]),
    [['deployment/145988746', 'hello-world', 'started', '2022-01-03T01:28:30.000Z']],
  )
  const tickets = await product.call('/api/tickets?limit=100')
  const issue = tickets.json.data.find(
    (row: { external_id: string }) => row.external_id === 'issue/444500041',
  )
  assert.equal(issue.title, 'Spelling error in the README file')
})

test('every other event of GitHub is stored and ignored', async () => {
  const others = examples.filter(({ name }) => !used.includes(name as (typeof used)[number]))
  assert.ok(others.length > 40)
  for (const { name, examples: payloads } of others) {
    const { status, json } = await deliver(name, payloads[0] ?? {})
    assert.equal(status, 202, name)
    assert.equal(json.status, 'ignored', name)
  }
})

test('a ping that is sent again is a duplicate', async () => {
  const body = JSON.stringify({ zen: 'Keep it logically awesome.', hook_id: 1 })
  const headers = {
    'x-github-event': 'ping',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': await sign(hook.secret, body),
  }
  const first = await send(product, hook, body, { headers })
  assert.deepEqual([first.status, first.json.status, first.json.duplicate], [202, 'ignored', false])
  const again = await send(product, hook, body, { headers })
  assert.deepEqual(
    [again.status, again.json.id, again.json.status, again.json.duplicate],
    [200, first.json.id, 'ignored', true],
  )
})
