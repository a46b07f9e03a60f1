import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { insertRows, newRow } from '../../src/usage/log/testing-rows.ts'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'
import { createRecord } from '../harness/records.ts'

const server = await startProduct()
const { open } = await startPages(server)

test('nothing is active at first; a recommended alert is added by one click, and another one is set up and fires', async () => {
  const page = await open('/alerts')
  await page.getByRole('heading', { name: 'No alerts yet' }).waitFor()
  const recommended = page.getByRole('region', { name: 'Recommended alerts' })
  await recommended.getByRole('button', { name: 'Add “A service is down”' }).click()
  const table = page.getByRole('table', { name: 'Alerts' })
  await table.getByText('A service is down').waitFor()
  await table.getByText('Never').waitFor()
  await recommended.getByText('A service is down').waitFor({ state: 'detached' })

  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(server.target, log)
  const row = newRow(server.first.groupId, new Date(), { input_cost: '25', output_cost: '0' })
  await insertRows(database.pool, [row])
  await database.close()
  await page.getByRole('button', { name: 'Create alert' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Dollars').fill('20')
  await form.getByLabel('Severity').selectOption('error')
  await form.getByRole('button', { name: 'Create alert' }).click()
  await page.getByText('Alert created').last().waitFor()
  const spend = table.getByRole('row', { name: /Spend above a sum/ })
  await spend.getByText('Firing').waitFor()
  const history = page.getByRole('table', { name: 'History' })
  await history.getByText('Spend of the group today: $25, above $20').waitFor()

  const { unread, data } = (await server.call('/api/v1/notifications')).json
  assert.deepEqual([unread, data[0].title], [1, 'Spend of the group today: $25, above $20'])

  await spend.getByRole('button', { name: 'Actions for Spend above a sum' }).click()
  await page.getByRole('menuitem', { name: 'Edit alert' }).click()
  await form.getByLabel('Dollars').fill('nothing')
  await form.getByLabel('Dollars').fill('30')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await spend.getByText('OK', { exact: true }).waitFor()

  await createRecord(server, '/api/services', { name: 'shop' })
  await createRecord(server, '/api/incidents', { service: 'shop', cause: 'The pool is empty.' })
  await history.getByText('shop is down').waitFor()
  // The name of an alert leads to what it reported.
  await spend.getByRole('link', { name: 'Spend above a sum' }).click()
  await history.getByText('shop is down').waitFor({ state: 'detached' })
  await history.getByText('Spend of the group today: $25, above $20').waitFor()
})
