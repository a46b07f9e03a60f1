/** `npm run picture`: the picture at the top of README, light and dark, from seeded data in the browser of the tests. */
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startBrowser, visit } from '#test/browser'
import { exampleModels, startGateway } from '#test/gateway'
import { temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { insertRows, newRow } from '../../src/usage/log/testing-rows.ts'
import { writeSamples } from '../transcripts/write-samples.ts'

const folder = join(import.meta.dirname, '../../docs/pictures')
const maxBytes = 200 * 1024
const hourMs = 3_600_000

const home = temporaryFolder()
writeSamples(home)
const server = await startGateway({ TRANSCRIPTS_DIR: home, UPSTREAM_PRIVATE: '1' })
const database = openDatabase(server.target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())

/** The same requests in every picture: more on working days, more by day than by night, a few that failed. */
function requests() {
  const now = Date.now()
  const models = Object.entries(exampleModels)
  return Array.from({ length: 14 * 24 }, (_, hour) => hour).flatMap((hour) => {
    const start = new Date(now - (hour + 1) * hourMs)
    const isBusy = start.getUTCDay() % 6 !== 0 && start.getUTCHours() > 6 && start.getUTCHours() < 19
    return Array.from(
      { length: (isBusy ? 14 : 3) + ((hour * 7) % 5) - (hour > 168 ? 1 : 0) },
      (_row, index) => {
        const draw = (hour * 31 + index * 17) % 100
        const [provider = '', model = ''] = models[draw < 45 ? 0 : draw < 75 ? 1 : draw < 90 ? 2 : 4] ?? []
        const hasFailed = (hour * 13 + index * 7) % 90 === 0
        const prompt = 900 + draw * 160
        return newRow(server.first.groupId, new Date(start.getTime() + index * 90_000), {
          provider,
          model,
          prompt_tokens: hasFailed ? 0 : prompt,
          completion_tokens: hasFailed ? 0 : 120 + draw * 9,
          duration_ms: 900 + draw * 70,
          status_code: hasFailed ? 502 : 200,
          error_message: hasFailed ? 'The provider is overloaded.' : null,
          input_cost: hasFailed ? '0' : (prompt * 0.000003).toFixed(6),
          output_cost: hasFailed ? '0' : ((120 + draw * 9) * 0.000015).toFixed(6),
        })
      },
    )
  })
}

async function seed(): Promise<void> {
  await insertRows(database.pool, requests())
  const create = async (path: string, json: object): Promise<void> => {
    const { status, text } = await server.call(path, { json })
    assert.ok(status < 300, `${path}: ${text}`)
  }
  await create('/api/services', { name: 'checkout', url: server.url, allow_private: true })
  await create('/api/services', { name: 'search', url: server.url, allow_private: true })
  await create('/api/deployments', {
    service: 'checkout',
    environment: 'production',
    version: '1.4.2',
    status: 'succeeded',
  })
  for (const title of ['Slow look-ups after a restart', 'Show taxes in the cart', 'Retry failed exports'])
    await create('/api/tickets', { title })
  await create('/api/console/events', { type: 'config', severity: 'error', title: 'Disk almost full' })
  await waitFor('the sessions', async () => (await server.call('/api/transcripts')).json.data.length > 3)
}

test('the picture shows the overview, light and dark, and is no larger than README may load', async () => {
  await seed()
  mkdirSync(folder, { recursive: true })
  const browser = await startBrowser()
  const { page } = await visit(browser, `${server.url}/`)
  await page.getByText('checkout 1.4.2').waitFor()
  const files = []
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.waitForLoadState('networkidle')
    const path = join(folder, `overview-${theme}.jpg`)
    await page.screenshot({ path, type: 'jpeg', quality: 65, clip: { x: 0, y: 0, width: 1280, height: 800 } })
    files.push(path)
  }
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  assert.ok(bytes <= maxBytes, `${bytes} bytes`)
})
