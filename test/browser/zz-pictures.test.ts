import { test } from 'node:test'
import { setPrice, tellStory, ask, make } from '../../src/links/testing-story.ts'
import { startPages, visit } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'

const it = await startGateway()
await setPrice(it)
const story = await tellStory(it)
await ask(it, story.work.key, 1000, 500)
const { browser } = await startPages(it)

test('pictures', async () => {
  const key = (await it.call('/api/v1/keys', { json: { name: 'Laptop of Ada' } })).json
  const empty = (
    await it.call('/api/v1/keys', {
      json: { name: 'An empty key with a long name abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz' },
    })
  ).json
  await make(it, '/api/v1/routes', {
    name: 'fast',
    targets: [{ model: exampleModels.openai }, { model: 'anthropic/claude-sonnet-5-5' }],
  })
  await make(it, '/api/v1/routes', { name: 'unused', targets: [{ model: exampleModels.openai }] })
  for (const model of [exampleModels.openai, 'fast', exampleModels.anthropic]) {
    it.fake.script(model === exampleModels.anthropic ? 'anthropic' : 'openai', {
      text: 'ok',
      usage: { input: 2000, output: 1000 },
    })
    const a = await it.call('/v1/chat/completions', {
      key: key.key,
      json: { model, messages: [{ role: 'user', content: 'x' }] },
      headers: { 'x-signalbox-session': story.work.key },
    })
    console.log(model, a.status, a.text.slice(0, 100))
  }
  const pages: Record<string, string> = {
    deployment: `/deployments/${story.deployment}`,
    incident: `/incidents/${story.incident}`,
    service: `/services/checkout`,
    ticket: `/tickets/${story.ticket}`,
    key: `/keys/${key.id}`,
    keyempty: `/keys/${empty.id}`,
    person: `/people/${key.created_by}`,
    model: `/models/${exampleModels.openai}`,
    modelempty: `/models/sonar-pro`,
    route: '/routes/fast',
    routeempty: '/routes/unused',
    keys: '/keys',
    groups: '/groups',
    deployments: '/deployments',
    incidents: '/incidents',
    prices: '/usage/prices',
    usage: '/usage?by=person',
    logs: `/logs?route=fast`,
    gone: '/deployments/0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
  }
  const only = process.env['ONLY']?.split(',')
  for (const [name, path] of Object.entries(pages)) {
    if (only && !only.includes(name)) continue
    for (const width of [1280, 390]) {
      const { page, complaints } = await visit(browser, `${it.url}${path}`, width)
      await page.waitForSelector('h1')
      await page.waitForLoadState('networkidle').catch(() => undefined)
      for (const theme of width === 1280 || name === 'key' || name === 'deployment'
        ? ['light', 'dark']
        : ['light']) {
        await page.emulateMedia({ colorScheme: theme as 'light' })
        await page.locator('html').evaluate((html: { dataset: Record<string, string> }, t: string) => {
          html.dataset['theme'] = t
        }, theme)
        await page.waitForTimeout(250)
        await page.screenshot({ path: `/tmp/pics/${name}-${width}-${theme}.png`, fullPage: true })
      }
      const w = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
      if (w > width) console.log('WIDE', name, width, w)
      if (complaints.length > 0) console.log(name, complaints)
      await page.context().close()
    }
  }
})
