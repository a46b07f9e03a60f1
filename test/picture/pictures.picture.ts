/** `npm run pictures`: the pictures of README and docs, light and dark, from the demo in the browser of the tests. */
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { loadConfig } from '#kernel/config'
import { joinDatabase, openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startBrowser, visit } from '#test/browser'
import { spawnDemo } from '#test/demo'
import { temporaryFolder } from '#test/product'
import { insertRows, newRow } from '../../src/usage/log/testing-rows.ts'

const folder = join(import.meta.dirname, '../../docs/pictures')
/** Of both themes of one picture: what README may load. */
const maxBytes = 200 * 1024
const hourMs = 3_600_000

const dataDir = temporaryFolder()
const server = await spawnDemo(dataDir)
const inDemo = { headers: { 'x-group-id': server.groupId } }
const browser = await startBrowser()
await addPast()

/**
 * The usage log takes no request of the past from anybody, so the demo has only those of today. What the pictures show
 * of the days before is put into the database: more on working days, and one model that rose in the last week.
 */
async function addPast(): Promise<void> {
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(joinDatabase(loadConfig({ DATA_DIR: dataDir })), log)
  after(() => database.close())
  const today = Date.now() - (Date.now() % (24 * hourMs))
  const hours = Array.from({ length: 21 * 24 }, (_, hour) => hour + 1)
  const rows = hours.flatMap((hour) => {
    const start = new Date(today - hour * hourMs)
    const isBusy = start.getUTCDay() % 6 !== 0 && start.getUTCHours() > 6 && start.getUTCHours() < 19
    return Array.from({ length: (isBusy ? 14 : 3) + ((hour * 7) % 5) }, (_row, index) => {
      const draw = (hour * 31 + index * 17) % 100
      const isLarge = draw < (hour <= 6 * 24 ? 30 : 8)
      const hasFailed = (hour * 13 + index * 7) % 90 === 0
      const prompt = 900 + draw * 60
      return newRow(server.groupId, new Date(start.getTime() + index * 90_000), {
        ...{ provider: 'demo', model: isLarge ? 'demo-large' : draw < 70 ? 'demo-medium' : 'demo-small' },
        ...{ prompt_tokens: hasFailed ? 0 : prompt, completion_tokens: hasFailed ? 0 : 100 + draw * 3 },
        ...{ duration_ms: 400 + draw * 30, status_code: hasFailed ? 502 : 200 },
        error_message: hasFailed ? 'The provider is overloaded.' : null,
        input_cost: hasFailed ? '0' : (prompt * (isLarge ? 0.000012 : 0.0000025)).toFixed(6),
        output_cost: hasFailed ? '0' : ((100 + draw * 3) * (isLarge ? 0.000048 : 0.00001)).toFixed(6),
      })
    })
  })
  await insertRows(database.pool, rows)
}

async function idOf(path: string, field: string, text: string): Promise<string> {
  const { data } = (await server.call(path, inDemo)).json as { data: Record<string, string>[] }
  const found = data.find((each) => each[field]?.includes(text) === true)
  assert.ok(found?.['id'] !== undefined, `${path} has no ${text}`)
  return found['id']
}

/** What the page shows first, once it is there. */
async function draw(name: string, path: string, isThere: (page: Page) => Promise<unknown>, height = 800) {
  const address = `${server.url}${path}${path.includes('?') ? '&' : '?'}group_id=${server.groupId}`
  const { page } = await visit(browser, address)
  await isThere(page)
  const files = []
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.waitForLoadState('networkidle')
    const file = join(folder, `${name}-${theme}.jpg`)
    await page.screenshot({
      path: file,
      type: 'jpeg',
      quality: 65,
      clip: { x: 0, y: 0, width: 1280, height },
    })
    files.push(file)
  }
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  assert.ok(bytes <= maxBytes, `${name}: ${bytes} bytes`)
}

mkdirSync(folder, { recursive: true })

test('the overview', () => draw('overview', '/', (page) => page.getByText('demo-preview').first().waitFor()))

test('why spend rose', () =>
  draw('spend', '/usage?by=model', async (page) => {
    const changes = page.getByRole('list', { name: 'Changes of spend' })
    await changes.getByText('demo-large').waitFor()
    const spendBy = page.getByRole('heading', { name: 'Spend by' })
    await spendBy.evaluate((heading: { scrollIntoView(): void }) => heading.scrollIntoView())
  }))

test('why an incident happened', async () => {
  const incident = await idOf('/api/incidents', 'cause', 'voucher')
  await draw('why', `/why?type=incident&id=${incident}`, (page) =>
    page.getByRole('list', { name: 'Why' }).getByText('Totals that add up').first().waitFor(),
  )
})

test('a statement that waits for approval', async () => {
  const approval = await idOf('/api/v1/sql/approvals', 'sql', 'delete from carts')
  await draw('approval', `/sql/approvals/${approval}`, (page) =>
    page.getByRole('button', { name: 'Approve' }).waitFor(),
  )
})

test('services', () => draw('services', '/services', (page) => page.getByText('Mail').first().waitFor(), 480))

test('an initiative', () =>
  draw('initiative', '/initiatives/totals-that-add-up', (page) =>
    page.getByText('Round once, at the end').first().waitFor(),
  ))
