import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listen, proposalsIn, turnOver } from '../../src/standups/testing-standup.ts'
import { startBrowser, visit } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'

/** Names without a space, as long as the API takes them. */
const long = (length: number, start: string): string => start.padEnd(length, 'abcdefghij')

const server = await startGateway({ STANDUP_MODEL: exampleModels.anthropic, RUNTIME: 'builtin' })
async function create(path: string, json: object): Promise<{ id: string }> {
  const { status, json: created, text } = await server.call(path, { json })
  assert.ok(status < 300, `${path}: ${status} ${text}`)
  return created
}
const model = `openrouter/${long(120, 'model-')}`
const ask = (name: string, key = server.key) =>
  server.call('/v1/chat/completions', {
    key,
    json: { model: name, messages: [{ role: 'user', content: 'Hello' }], user: long(60, 'user-') },
  })
await server.call(`/api/v1/pricing/${exampleModels.openai}`, {
  method: 'PUT',
  json: { input_price_per_1m: '1', output_price_per_1m: '1', request_price: '123456789' },
})
const { json: key } = await server.call('/api/v1/keys', { json: { name: long(100, 'key-') } })
await ask(exampleModels.openai)
await ask(model, (key as { key: string }).key)
await create('/api/v1/groups', { name: long(100, 'group-') })
await create('/api/services', { name: long(63, 'service-') })
const ticket = await create('/api/tickets', { title: long(120, 'ticket-') })
const initiative = await create('/api/initiatives', {
  title: long(120, 'initiative-'),
  description: long(120, 'description-'),
})
await create('/api/devlogs', { title: long(120, 'devlog-'), content: long(120, 'content-') })
await create('/api/agents', { id: long(60, 'agent-'), name: long(100, 'agent-'), model })

/** A stand-up in which the agent asks, looks something up and proposes, all at length. */
async function standup(): Promise<string> {
  const { id } = await create('/api/initiatives', { title: long(200, 'talk-') })
  await create(`/api/initiatives/${id}/questions`, {
    text: long(200, 'question-'),
    category: 'clarification',
  })
  const { criteria } = (await create(`/api/initiatives/${id}/criteria`, {
    text: long(200, 'criterion-'),
    confidence: 50,
  })) as unknown as { criteria: { id: string }[] }
  const [asked, chosen] = [long(200, 'asked-'), long(200, 'chosen-')]
  const decision = { title: chosen, context: chosen, options: [chosen, 'none'], decision: chosen }
  server.fake.script('anthropic', {
    text: '',
    toolCalls: [
      { name: 'research', arguments: { query: 'ticket', web: false } },
      { name: 'ask_question', arguments: { category: 'direction', content: asked, options: [asked, 'no'] } },
      { name: 'propose_decision', arguments: { ...decision, rationale: chosen, consequences: chosen } },
      {
        name: 'propose_confidence',
        arguments: { criterion_id: criteria[0]?.id, confidence: 80, reason: chosen },
      },
    ],
  })
  server.fake.script('anthropic', { text: asked })
  const listener = await listen(server, `/api/initiatives/${id}/standup`)
  await turnOver(listener, 1)
  assert.equal(proposalsIn(listener).length, 2)
  return id
}
const talk = await standup()
const ended = await standup()
await server.call(`/api/initiatives/${ended}/standup/end`, { json: { generate_artifacts: true } })
const browser = await startBrowser()

const pages = [
  ...['/', '/providers', '/keys', '/playground', '/console', '/logs', '/usage', '/usage/prices', '/groups'],
  ...['/services', '/deployments', '/tickets', `/tickets/${ticket.id}`, '/devlogs', '/initiatives'],
  ...[`/initiatives/${initiative.id}`, '/agents', '/agents/runs', '/sql', '/sql/audit', '/status-page'],
  `/logs?model=${encodeURIComponent(model)}`,
  ...[
    `/initiatives/${initiative.id}/standup`,
    `/initiatives/${talk}/standup`,
    `/initiatives/${ended}/standup`,
  ],
]

for (const [width, colorScheme] of [
  [1440, 'light'],
  [390, 'dark'],
] as const)
  test(`long names and sums above a million fit every page, ${width} px wide`, async () => {
    const { page } = await visit(browser, server.url, width)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const outside: Record<string, unknown> = {}
    for (const path of pages) {
      await page.goto(`${server.url}${path}`)
      await page.waitForSelector('h1')
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => undefined)
      const found = await page.evaluate<string[]>(tooWide)
      if (found.length > 0) outside[path] = found
    }
    assert.deepEqual(outside, {})
  })

/** Elements that reach beyond the screen or out of their box, unless something around them scrolls or cuts. */
const tooWide = `(() => {
  const isHeld = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return true
    return false
  }
  const right = (element) => element.getBoundingClientRect().right
  return [...document.querySelectorAll('main *, header *')]
    .filter((element) =>
      element.matches('.data-table') ? right(element) > right(element.parentElement) + 1 : right(element) > innerWidth + 1 && !isHeld(element),
    )
    .slice(0, 5)
    .map((element) => element.tagName + '.' + element.className + ': ' + (element.textContent ?? '').slice(0, 40))
})()`
