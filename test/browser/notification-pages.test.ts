import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'
import { startSlack } from '../harness/receivers.ts'
import { waitFor } from '../harness/wait.ts'
import { notification, openSender } from '../../src/notifications/testing-notifications.ts'

const product = await startProduct({ UPSTREAM_PRIVATE: '1' })
const groupId = product.first.groupId
const sender = await openSender(product)
const { open } = await startPages(product)

test('a notification that arrives is counted in the bell and in the title, leads to its page and is read', async () => {
  const page = await open('/services')
  await page.getByRole('button', { name: 'Notifications', exact: true }).first().waitFor()
  await sender.send(notification(groupId, { title: 'checkout is down', path: '/incidents' }))
  // As when somebody comes back to the page: what was polled every 30 seconds is asked for at once.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
  const bell = page.getByRole('button', { name: 'Notifications, 1 open' }).first()
  await bell.waitFor()
  await waitFor('the title', async () => (await page.title()) === '(1) Services · Signalbox')
  await bell.click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await panel.getByText('3 health checks in a row failed.').waitFor()
  await panel.getByRole('link', { name: 'checkout is down' }).click()
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).first().waitFor()
  await waitFor('the title', async () => (await page.title()) === 'Incidents · Signalbox')
  const { json } = await product.call('/api/v1/notifications')
  assert.equal(json.unread, 0)
})

test('a channel is added, tested and edited; its deliveries show every try', async () => {
  const slack = await startSlack()
  const page = await open('/notifications')
  await page.getByText('No channels yet').waitFor()
  await page.getByRole('button', { name: 'Add channel' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add channel' })
  await form.getByLabel('Name', { exact: true }).fill('On-call')
  await form.getByLabel('Webhook URL', { exact: true }).fill(`${slack.url}/services/T0/B0/abcd`)
  await form.getByRole('button', { name: 'Add channel' }).click()
  await form.getByText('is in a private network, which needs allow_private').first().waitFor()
  await form.getByLabel('In a private network').check()
  await form.getByLabel('Quiet hours').check()
  await form.getByRole('button', { name: 'Add channel' }).click()
  const table = page.getByRole('table', { name: 'Channels' })
  await table.getByText('Active').waitFor()
  slack.next.push({ status: 404, body: 'no_service' })
  await page.getByRole('button', { name: 'Test On-call' }).click()
  await page.getByText('Test failed').waitFor()
  await page.getByRole('button', { name: 'Test On-call' }).click()
  await page.getByText('Test delivered').waitFor()
  await page.getByRole('button', { name: 'Actions for On-call' }).click()
  await page.getByRole('menuitem', { name: 'Show deliveries' }).click()
  const panel = page.getByRole('dialog', { name: 'Deliveries of On-call' })
  await panel.getByText('no_service').first().waitFor()
  await panel.getByText('Status 404').first().waitFor()
  await panel.getByText('Status 200').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for On-call' }).click()
  await page.getByRole('menuitem', { name: 'Edit channel' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit “On-call”' })
  await edit.getByLabel('Name', { exact: true }).fill('Night shift')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await table.getByText('Night shift').waitFor()
  const { json } = await product.call('/api/v1/channels')
  assert.equal(json.data[0].config.url_suffix, 'abcd')
  assert.deepEqual(json.data[0].quiet_hours, { from: '22:00', to: '07:00' })
})
