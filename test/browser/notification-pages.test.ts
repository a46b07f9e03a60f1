import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'
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
  const bell = page.getByRole('button', { name: 'Notifications, 1 unread' }).first()
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
