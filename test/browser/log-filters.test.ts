import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { insertRows, newRow } from '../../src/usage/log/testing-rows.ts'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'

const product = await startProduct()
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())
const { groupId } = product.first

// Durations of 100, 200, … 2,000 ms: half are at most 1,000, and 95 in a hundred at most 1,900.
const rows = Array.from({ length: 20 }, (_, index) =>
  newRow(groupId, new Date(`2026-03-01T10:${String(index * 3).padStart(2, '0')}:00Z`), {
    model: ['model-a', 'model-b', 'model-c'][index % 3] as string,
    duration_ms: (index + 1) * 100,
  }),
)
const refused = newRow(groupId, new Date('2026-03-01T23:30:00Z'), {
  model: '',
  provider: null,
  status_code: 413,
  error_message: 'The body is too large.',
  usage_source: 'none',
  prompt_tokens: 0,
  completion_tokens: 0,
  input_cost: null,
  output_cost: null,
})
await insertRows(database.pool, [...rows, refused])
// Rows of a route, which the menu offers; the second row took two calls.
await database.pool.query(
  `update usage.usage_logs set route = 'fast', attempt_count = case when id = $2 then 2 end
   where group_id = $1 and id = any ($3)`,
  [groupId, rows[1]?.id, rows.slice(0, 4).map(({ id }) => id)],
)
const made = await product.call('/api/v1/routes', {
  json: { name: 'fast', targets: [{ model: 'gpt-6-sol' }] },
})
assert.equal(made.status, 201, made.text)

const { open } = await startPages(product, 1440)

const table = (page: Page) => page.getByRole('table', { name: 'Requests' })
const total = async (page: Page): Promise<number> => Number(await table(page).getAttribute('aria-rowcount'))
const waitForTotal = (page: Page, count: number) =>
  page.locator(`[role=table][aria-rowcount="${count}"]`).waitFor()

test('several values of a filter are chosen one after another, and the address holds them', async () => {
  const page = await open('/logs')
  await waitForTotal(page, 21)
  await page.getByRole('button', { name: 'Model', exact: true }).click()
  await page.getByRole('checkbox', { name: 'model-a' }).click()
  await waitForTotal(page, 7)
  await page.getByRole('checkbox', { name: 'model-b' }).click()
  await waitForTotal(page, 14)
  const shared = await open(new URL(page.url()).pathname + new URL(page.url()).search)
  await waitForTotal(shared, 14)
  await shared.getByRole('button', { name: 'Model: 2 chosen' }).waitFor()
})

test('requests of a route, and those that took several calls, are one click away', async () => {
  const page = await open('/logs')
  await page.getByRole('button', { name: 'Route', exact: true }).click()
  await page.getByRole('checkbox', { name: 'fast' }).click()
  await waitForTotal(page, 4)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Retried' }).click()
  await waitForTotal(page, 1)
  assert.match(page.url(), /route=fast.*min_attempts=2|min_attempts=2.*route=fast/)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await waitForTotal(page, 4)
  await table(page).locator('[data-row]').first().click()
  const panel = page.getByRole('dialog', { name: /^Request req_/ })
  await panel.getByRole('link', { name: 'fast' }).waitFor()
  const phone = await open('/logs?min_attempts=2&route=fast', 390)
  await waitForTotal(phone, 1)
  await phone.getByRole('button', { name: 'Filters · 2' }).waitFor()
})

test('p50 and p95 are those of the requests that match', async () => {
  const page = await open('/logs?since=2026-03-01T10:00:00Z&until=2026-03-01T11:00:00Z')
  const summary = page.getByLabel('Summary of these requests')
  await summary.getByText('1 s', { exact: true }).waitFor()
  await summary.getByText('1.9 s', { exact: true }).waitFor()
})

test('text finds a name, an id finds its request, and the slash goes to the field', async () => {
  const page = await open('/logs')
  await waitForTotal(page, 21)
  await page.keyboard.press('/')
  await page.keyboard.type('MODEL-C')
  await waitForTotal(page, 6)
  await page.getByRole('searchbox').fill(`req_${refused.id.replaceAll('-', '')}`)
  await waitForTotal(page, 1)
  await table(page).getByText('too large').waitFor()
})

test('a request without model and provider says so, in the list and in its record', async () => {
  const page = await open('/logs?status=error')
  await table(page).getByText('no model').waitFor()
  await table(page).locator('[data-row]').click()
  const panel = page.getByRole('dialog', { name: /^Request req_/ })
  await panel.getByRole('heading', { name: 'no model' }).waitFor()
  await panel.getByText('The body is too large.').waitFor()
})

test('rows and filters are in the time zone of the group, also over midnight', async () => {
  const { json } = await product.call('/api/v1/groups')
  const path = `/api/v1/groups/${json.data[0].id}`
  await product.call(path, { method: 'PATCH', json: { time_zone: 'Asia/Tehran' } })
  const page = await open('/logs')
  await page.goto(`${product.url}/logs?status=error`)
  await table(page).getByText('2 Mar').waitFor()
  await table(page).getByText('03:00:00').waitFor()
  await page.goto(`${product.url}/logs`)
  await waitForTotal(page, 21)
  await page.getByRole('button', { name: 'All time' }).click()
  const range = page.getByRole('dialog', { name: 'Time range' })
  // 03:00 on 2 March in Tehran is 23:30 on 1 March in UTC.
  await range.getByLabel('From').fill('2026-03-02T02:59')
  await range.getByLabel('To').fill('2026-03-02T03:01')
  await range.getByRole('button', { name: 'Apply' }).click()
  await waitForTotal(page, 1)
  await page.getByText('Asia/Tehran').first().waitFor()
  await product.call(path, { method: 'PATCH', json: { time_zone: null } })
})

test('columns are the reader’s choice and stay chosen', async () => {
  const page = await open('/logs')
  await waitForTotal(page, 21)
  const header = (name: string) => table(page).getByRole('columnheader', { name, exact: true })
  await header('Cost').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Endpoint' }).click()
  await page.getByRole('checkbox', { name: 'Cost' }).click()
  await header('Endpoint').waitFor()
  await page.reload()
  await header('Endpoint').waitFor()
  assert.equal(await header('Cost').count(), 0)
})

test('the list uses the width, and its rows are dense', async () => {
  const page = await open('/logs')
  await waitForTotal(page, 21)
  const box = await table(page).boundingBox()
  assert.ok(box && box.width > 1_050, `${box?.width} px`)
  const lines = await table(page).locator('[data-row]').count()
  assert.ok(lines >= 15, `${lines} rows on a screen of 800 px`)
})

test('on a phone the list begins in the upper half, and filters unfold', async () => {
  const page = await open(`/logs?q=model`, 390)
  await waitForTotal(page, 20)
  const box = await table(page).boundingBox()
  assert.ok(box && box.y < 400, `${box?.y} px`)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByRole('button', { name: 'Provider' }).click()
  await page.getByRole('checkbox', { name: /openai/i }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filters · 1' }).waitFor()
  assert.equal(await total(page), 20)
})
