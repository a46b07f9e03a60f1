import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violationsOf } from '../harness/accessibility.ts'
import { startBrowser, visit } from '../harness/browser.ts'
import { startGateway } from '../harness/gateway.ts'

const server = await startGateway()
await server.call('/v1/chat/completions', {
  key: server.key,
  json: { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hello' }] },
})
await server.call('/api/v1/routes', {
  json: {
    name: 'fast',
    strategy: 'weighted',
    targets: [{ model: 'gpt-6-sol', weight: 3 }, { model: 'sonar-pro' }],
  },
})
await server.call('/api/services', { json: { name: 'checkout' } })
await server.call('/api/tickets', { json: { title: 'Slow look-ups' } })
const browser = await startBrowser()

const pages = [
  ...[
    '/',
    '/search',
    '/providers',
    '/routes',
    '/keys',
    '/limits',
    '/playground',
    '/embeddings',
    '/console',
    '/logs',
    '/usage',
  ],
  ...[
    '/usage/prices',
    '/transcripts',
    '/analytics',
    '/services',
    '/incidents',
    '/deployments',
    '/tickets',
    '/devlogs',
  ],
  ...[
    '/skills',
    '/learnings',
    '/webhooks',
    '/status-page',
    '/sql',
    '/sql/approvals',
    '/sql/migrations',
    '/sql/audit',
    '/agents',
  ],
  ...['/agents/data-engineer', '/agents/runs', '/groups', '/settings', '/account', '/no-such-page'],
]

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const)
  test(`axe finds nothing on any page, ${width} px wide and ${colorScheme}`, async () => {
    const { page } = await visit(browser, server.url, width)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found: Record<string, unknown> = {}
    for (const path of pages) {
      await page.goto(`${server.url}${path}`)
      await page.waitForSelector('h1')
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      const violations = await violationsOf(page)
      if (violations.length > 0) found[path] = violations
    }
    assert.deepEqual(found, {})
  })
