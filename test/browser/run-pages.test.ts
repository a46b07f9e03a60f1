import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsInBothThemes } from '../harness/accessibility.ts'
import { startPages } from '../harness/browser.ts'
import { platform, sqlCall, sqlPolicy, startRuns } from '../harness/runs.ts'
import { waitFor } from '../harness/wait.ts'

const server = await startRuns()
await server.execute('create table orders (id int primary key, note text)')
await server.execute(`insert into orders select g, 'n' || g from generate_series(1, 50) g`)
await server.agent('engineer', {
  mcp_servers: platform,
  permission_mode: 'bypassPermissions',
  policy: sqlPolicy,
})
await server.agent('careful', {
  mcp_servers: {
    things: { command: process.execPath, args: [join(import.meta.dirname, '../agent-runs/tool-server.js')] },
  },
})
const { browser, open } = await startPages(server)

const countOrders = async (): Promise<number | undefined> =>
  (await server.admin<{ n: number }>('select count(*)::int as n from orders'))[0]?.n

async function ask(page: Page, request: string): Promise<string> {
  await page.getByLabel('Request', { exact: true }).fill(request)
  await page.getByRole('button', { name: 'Ask agent' }).click()
  await page.waitForURL(/\/agents\/runs\/[0-9a-f-]{36}$/)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

const deleting = [
  { text: 'I count first.', toolCalls: [sqlCall('select count(*) from orders')] },
  { toolCalls: [sqlCall('delete from orders where id <= 7')] },
  { text: 'Seven orders were **deleted**.' },
]

test('from the ask box to an approved change, live; a reload and the list show the same', async () => {
  server.script(...deleting)
  const page = await open('/agents/engineer')
  await ask(page, 'Delete the first seven orders')
  await page.getByText('I count first.').waitFor()
  const card = page.getByRole('region', { name: 'Waits for approval' })
  await card.getByText('delete from orders').waitFor()
  await card.getByRole('cell', { name: '7', exact: true }).waitFor()
  assert.equal(await countOrders(), 50)
  await card.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Seven orders were deleted.').waitFor()
  await page.getByRole('status').getByText('Completed').waitFor()
  assert.equal(await countOrders(), 43)
  await page.getByText('Waited for approval').waitFor()
  const calls = page.getByRole('button', { name: /platform_sql_execute/ })
  assert.equal(await calls.count(), 2)
  await calls.first().click()
  await page.getByLabel('Result').getByText('50').first().waitFor()
  await page.reload()
  await page.getByText('Seven orders were deleted.').waitFor()
  assert.equal(await calls.count(), 2)
  await page.getByRole('navigation', { name: 'Agents' }).getByRole('link', { name: /^Runs/ }).click()
  const row = page.getByRole('row', { name: /Delete the first seven orders/ })
  await row.getByText('Completed').waitFor()
  await row.getByText('$').waitFor()
})

/** Lets a test cut the stream of a run's events, as a lost connection does. */
const cuttable = `{
  const real = window.fetch
  window.streams = []
  window.fetch = (address, options = {}) => {
    if (!String(address).endsWith('/events')) return real(address, options)
    const cut = new AbortController()
    window.streams.push({ cut: () => cut.abort(), after: new Headers(options.headers).get('last-event-id') })
    return real(address, { ...options, signal: AbortSignal.any([options.signal, cut.signal]) })
  }
}`

test('a connection that breaks is resumed after the last event, and nothing is shown twice', async () => {
  server.script(...deleting)
  const page = await open('/agents/engineer')
  await page.addInitScript(cuttable)
  await page.reload()
  const id = await ask(page, 'Delete them again')
  await page.getByRole('region', { name: 'Waits for approval' }).waitFor()
  await page.evaluate('window.streams.at(-1).cut()')
  await waitFor('the stream to be resumed', async () =>
    Boolean(await page.evaluate('window.streams.at(-1).after')),
  )
  const { waiting_for } = await server.run(id)
  assert.equal(waiting_for?.kind, 'approval')
  await server.call(`/api/v1/sql/approvals/${waiting_for.approval_id}/approve`, { json: {} })
  await page.getByText('Seven orders were deleted.').waitFor()
  assert.equal(await page.getByText('I count first.').count(), 1)
})

test('a question is answered in place, and the run continues with the answer', async () => {
  server.script(
    { toolCalls: [{ name: 'ask_person', arguments: { question: 'Which **table** do you mean?' } }] },
    { text: 'Then it is orders.' },
  )
  const page = await open('/agents/engineer', 390)
  await ask(page, 'Look at the table')
  const card = page.getByRole('region', { name: 'Asks a question' })
  await card.getByText('Which table do you mean?').waitFor()
  await card.getByLabel('Answer').fill('public.orders')
  await card.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('Then it is orders.').waitFor()
  const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
  assert.ok(width <= 390, `${width} px wide`)
  assert.deepEqual(await violationsInBothThemes(page), [])
})

test('a run that waits is cancelled, and one that fails says why', async () => {
  server.script({ toolCalls: [sqlCall('delete from orders where id = 8')] })
  const page = await open('/agents/engineer')
  await ask(page, 'Delete one')
  await page.getByRole('region', { name: 'Waits for approval' }).waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
  await page.getByText('What it had already changed stays changed.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Cancel run' }).count(), 0)
  server.script({ toolCalls: [sqlCall('select 1')] })
  await page.goto(`${server.url}/agents/engineer`)
  // What comes above it while the page loads can move it away from a click.
  await waitFor('the limits to unfold', async () => {
    if (await page.getByLabel('Steps').isVisible()) return true
    await page.getByRole('main').getByText('Limits', { exact: true }).click()
    return page.getByLabel('Steps').isVisible()
  })
  await page.getByLabel('Steps').fill('1')
  await ask(page, 'Go on for ever')
  await page.getByRole('status').getByText('Failed').waitFor()
  await page.getByText('Code: max_steps').waitFor()
  await page.getByText('Ask again with a higher limit, or split the request.').waitFor()
})

test('a tool that needs permission is allowed or denied in place, and the agent hears the reason', async () => {
  const wipe = { toolCalls: [{ name: 'wipe', arguments: {} }] }
  for (const [button, reason, badge] of [
    ['Allow call', '', undefined],
    ['Deny call', 'Not today.', 'denied'],
  ] as const) {
    server.script(wipe, { text: `After ${button}.` })
    const page = await open('/agents/careful')
    const id = await ask(page, 'Wipe it')
    const card = page.getByRole('region', { name: 'Waits for permission' })
    await card.getByText('The agent wants to call wipe.').waitFor()
    if (reason === '') assert.deepEqual(await violationsInBothThemes(page), [])
    else await card.getByLabel('Reason for denying').fill(reason)
    await card.getByRole('button', { name: button }).click()
    await page.getByText(`After ${button}.`).waitFor()
    await page.getByText('Waited for permission').waitFor()
    assert.equal((await server.run(id)).tool_calls[0]?.status, badge ?? 'done')
    if (reason !== '') assert.match(JSON.stringify(server.fake.requests.at(-1)?.json), /Not today\./)
  }
})

test('the card of a checklist says which steps were done, each with its statement, and which are missing', async () => {
  server.script(
    { toolCalls: [sqlCall('select count(*) from orders')] },
    { toolCalls: [sqlCall('select count(*) from orders where note is null')] },
    { text: 'All is well.' },
  )
  const page = await open('/agents/engineer')
  await ask(page, 'Validate the data in orders')
  await page.getByText('All is well.').waitFor()
  const facts = page.getByRole('complementary', { name: 'Facts' })
  await facts.getByText('Validation checklist').waitFor()
  await facts.getByText('Incomplete', { exact: true }).waitFor()
  const signs = await facts
    .getByRole('listitem')
    .getByRole('img')
    .evaluateAll((all: { getAttribute(name: string): string | null }[]) =>
      all.map((each) => each.getAttribute('aria-label')),
    )
  assert.deepEqual(signs, ['Done', 'Done', 'Missing', 'Missing', 'Missing'])
  await facts.getByText(/^Missing: Duplicate checks/).waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])
  await facts.getByRole('link', { name: 'Baseline count' }).click()
  await page.getByText('select count(*) from orders').first().waitFor()
})

test('a viewer sees runs as they happen and has nothing to start, answer or cancel them with', async () => {
  server.script({ toolCalls: [{ name: 'wipe', arguments: {} }] })
  const run = await server.ask('careful', { request: 'Wait for somebody' })
  const invited = await server.call(`/api/v1/groups/${server.first.groupId}/invitations`, {
    json: { role: 'viewer' },
  })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const joined = await context.request.post(`${server.url}/api/auth/invitation/accept`, {
    data: {
      token: new URL(invited.json.url as string).searchParams.get('token'),
      ...{ name: 'Reader', email: 'reader@example.com', password: 'a long enough password' },
    },
    headers: { origin: server.url },
  })
  assert.equal(joined.status(), 200)
  const page = await context.newPage()
  await page.goto(`${server.url}/agents/runs/${run.run_id}`)
  const card = page.getByRole('region', { name: 'Waits for permission' })
  await card.getByText('A member, admin or owner of the group answers this.').waitFor()
  assert.equal(await card.getByRole('button').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Cancel run' }).count(), 0)
  server.script({ text: 'Somebody came.' })
  await server.call(`/api/agent-runs/${run.run_id}/answer`, { json: { decision: 'approve' } })
  await page.getByText('Somebody came.').waitFor()
  await page.goto(`${server.url}/agents/careful`)
  await page.getByRole('link', { name: /Wait for somebody/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Ask agent' }).count(), 0)
  await page.getByRole('main').getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add agent' }).count(), 0)
  await context.close()
})

test('a provider that refuses its key is shown as a failure, with what it said', async () => {
  // Refused once, a key is tried again.
  server.fake.always('openai', { error: { status: 401, message: 'this key is of no use' } })
  const page = await open('/agents/engineer')
  await ask(page, 'Say something')
  await page.getByRole('status').getByText('Failed').waitFor()
  await page.getByText('Ask again, or change the settings of the agent.').waitFor()
})
