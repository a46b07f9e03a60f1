import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'

const server = await startProduct()
const { browser, open } = await startPages(server)

const row = (page: Page, text: string) =>
  page.getByRole('table', { name: 'Events' }).getByRole('row').filter({ hasText: text })

/** A service that knows nothing of us: its exporter takes all from the environment. */
const service = `
  import { SeverityNumber } from '@opentelemetry/api-logs'
  import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
  import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
  const provider = new LoggerProvider({
    processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
  })
  provider.getLogger('orders').emit({
    severityNumber: SeverityNumber.WARN, body: 'The queue of orders is long', attributes: { 'queue.length': 812 },
  })
  await provider.shutdown()`

test('with the OpenTelemetry example of the empty page a service sends its logs, and a value of theirs is a filter', async () => {
  const page = await open('/console/nowhere')
  await page.getByRole('tab', { name: 'OpenTelemetry', exact: true }).click()
  const code = await page.getByLabel('Send an event with OpenTelemetry', { exact: true }).innerText()
  const env = { ...process.env, SIGNALBOX_KEY: server.key, PROGRAM: service, NODE: process.execPath }
  await promisify(execFile)('bash', ['-c', `${code}\n"$NODE" --input-type=module -e "$PROGRAM"`], { env })
  await server.call('/api/console/events', {
    key: server.key,
    json: [{ type: 'error', title: 'Another event', metadata: { 'queue.length': 1 } }],
  })
  await page.goto(`${server.url}/console`)
  await row(page, 'Another event').waitFor()
  await row(page, 'The queue of orders is long').first().click()
  const panel = page.getByRole('dialog', { name: /^Event / })
  await panel.getByRole('button', { name: 'Show only this value of queue.length' }).click()
  await page.waitForURL(/metadata=/)
  await row(page, 'Another event').waitFor({ state: 'detached' })
  const chips = page.getByRole('group', { name: 'Active filters' })
  await chips.getByRole('button', { name: 'queue.length: 812', exact: true }).click()
  await row(page, 'Another event').waitFor()
  await row(page, 'The queue of orders is long').waitFor({ state: 'detached' })
  // A new event is compared as the list was.
  await server.call('/api/console/events', {
    key: server.key,
    json: ['812', '813'].map((length) => ({
      type: 'error',
      title: `At ${length}`,
      metadata: { 'queue.length': length },
    })),
  })
  await row(page, 'At 813').waitFor()
  assert.equal(await row(page, 'At 812').count(), 0)
  await page.reload()
  await row(page, 'At 813').waitFor()
  await page.getByRole('button', { name: 'Remove not queue.length: 812' }).click()
  await row(page, 'At 812').waitFor()
})

test('browser reports are switched on, a page reports its error, and they are switched off', async () => {
  const page = await open('/console?source=frontend')
  await page.getByRole('button', { name: 'Send events' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'Browser' }).click()
  await dialog.getByRole('button', { name: 'Allow browser reports' }).click()
  const tag = await dialog.getByLabel('Add to the head of a page', { exact: true }).innerText()
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<html><head>${tag}</head><body><script>setTimeout(() => { throw new Error('The cart is empty') })</script>`,
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  after(() => site.close())
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  await page.keyboard.press('Escape')
  await row(page, 'The cart is empty').waitFor()

  await page.getByRole('button', { name: 'Send events' }).first().click()
  await dialog.getByRole('tab', { name: 'Browser' }).click()
  await dialog.getByRole('button', { name: 'Stop browser reports' }).click()
  await dialog.getByRole('button', { name: 'Allow browser reports' }).waitFor()
  const id = /id=([^"]+)"/.exec(tag)?.[1]
  const refused = await fetch(`${server.url}/api/console/frontend-errors?id=${id}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ message: 'The cart is full' }),
  })
  assert.equal(refused.status, 404)
})
