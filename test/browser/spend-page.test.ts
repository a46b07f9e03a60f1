import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { insertRows, newRow } from '../../src/usage/log/testing-rows.ts'
import type { LedgerRow } from '../../src/usage/row.ts'
import type { LedgerAttempt } from '../../src/usage/tables.ts'
import { violationsInBothThemes } from '../harness/accessibility.ts'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'

const server = await startProduct()
const { open } = await startPages(server)
const database = openDatabase(server.target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())
const { groupId } = server.first
const [keyA, keyB] = [randomUUID(), randomUUID()]

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)
const row = (days: number, cost: string, given: Partial<LedgerRow> = {}): LedgerRow =>
  newRow(groupId, daysAgo(days), { input_cost: cost, output_cost: '0', provider_key_id: keyA, ...given })

const started = daysAgo(1)
const call = (given: Partial<LedgerAttempt>): LedgerAttempt => ({
  ...{ provider: 'openai', provider_key_id: keyA, model: 'gpt-6-sol', status_code: 503 },
  ...{ error_code: 'provider_error', started_at: started.toISOString(), duration_ms: 300 },
  ...{ usage_source: 'none', price_id: null, input_cost: '0', output_cost: '0' },
  ...given,
})
const answered = call({
  ...{ provider: 'anthropic', provider_key_id: keyB, model: 'claude-sonnet-5-5', status_code: 200 },
  ...{ error_code: null, started_at: new Date(started.getTime() + 350).toISOString(), duration_ms: 800 },
  ...{ usage_source: 'provider', input_cost: '6', prompt_tokens: 100, completion_tokens: 20 },
})
const failedOver = newRow(groupId, started, {
  ...{ provider: 'anthropic', provider_key_id: keyB, model: 'claude-sonnet-5-5', route: 'fast' },
  ...{ input_cost: '6', output_cost: '0', duration_ms: 1_160, upstream_ms: 1_150 },
  ...{ attempts: [call({}), answered], attempt_count: 2 },
  metadata: { tags: ['nightly'] },
})
await insertRows(database.pool, [
  failedOver,
  row(2, '1.5', { route: 'cheap' }),
  row(3, '0.5'),
  row(9, '2', { route: 'fast' }),
  row(10, '1', { route: 'cheap' }),
])

test('a request that one provider failed is marked in the log, and its record shows every call', async () => {
  const page = await open('/logs')
  const table = page.getByRole('table', { name: 'Requests' })
  const marked = table.getByRole('row').filter({ hasText: 'calls to providers' })
  await marked.first().waitFor()
  assert.equal(await marked.count(), 1)
  assert.match(await marked.innerText(), /claude-sonnet-5-5[^]*fast/)
  await marked.locator('[data-row]').click()
  const trail = page.getByRole('region', { name: 'Attempts' })
  await trail.getByText('provider error').waitFor()
  const calls = await trail.getByRole('listitem').allInnerTexts()
  assert.equal(calls.length, 2)
  assert.match(calls[0] ?? '', /gpt-6-sol[^]*503 provider error[^]*300 ms[^]*\$0\.00/)
  assert.match(calls[1] ?? '', /claude-sonnet-5-5[^]*200 ok[^]*800 ms[^]*\$6\.00/)
  await trail.getByText('2 calls, 1.15 s at providers, 10 ms here').waitFor()
  const request = page.getByRole('region', { name: 'Request', exact: true })
  assert.match(await request.innerText(), /Duration\s+1\.16 s\s+1\.15 s at providers\s+10 ms here/)
})

test('spend is split by route, compared with the week before, and the change is explained', async () => {
  const page = await open('/usage')
  await page.getByRole('group', { name: 'Spend by' }).getByRole('button', { name: 'Route' }).click()
  await page.waitForURL(/by=route/)
  const table = page.getByRole('table', { name: 'Spend by Route' })
  const fast = table.getByRole('row').filter({ hasText: 'fast' })
  await fast.waitFor()
  assert.match(await fast.innerText(), /\$6\.00\s+\$2\.00\s+\$4\.00/)
  await page.getByRole('heading', { name: 'Why did it rise?' }).waitFor()
  const bars = await page
    .getByRole('list', { name: 'Changes of spend' })
    .getByRole('listitem')
    .allInnerTexts()
  assert.deepEqual(
    bars.map((text) => text.split(/\s*\n\s*/).join(' ')),
    ['Before $3.00', 'fast +$4.00', 'cheap +$0.50', 'Without a route +$0.50', 'Now $8.00'],
  )
  await page.getByRole('group', { name: 'Spend by' }).getByRole('button', { name: 'Tag' }).click()
  await page.getByRole('table', { name: 'Spend by Tag' }).getByText('nightly').waitFor()
  await page.getByText(/so far; about \$/).waitFor()
})

test('the statement has what the gateway logged, by day, reason and person', async () => {
  const page = await open('/usage/statement', 390)
  const reasons = page.getByRole('table', { name: 'Why only the gateway has it' })
  await reasons.waitFor()
  // 6 + 1.5 + 0.5 + 2 + 1
  assert.match(await reasons.innerText(), /Without a session[^]*\$11\.00[^]*5/)
  assert.match(await page.getByRole('table', { name: 'Statement by person' }).innerText(), /\$11\.00/)
  assert.deepEqual(await violationsInBothThemes(page), [])
  const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
  assert.ok(width <= 390, `${width} px wide`)
})
