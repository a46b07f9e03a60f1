/** What people come for, from the overview of the demo, each with at most four clicks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBrowser } from '#test/browser'
import { spawnDemo } from '#test/demo'
import { runCommand, spawnProduct } from '#test/process'
import { temporaryFolder } from '#test/product'
import { journeysByKeyboard } from './by-keyboard.ts'
import { answered, explained, inSidebar, startJourney } from './journey.ts'

const dataDir = temporaryFolder()
const server = await spawnDemo(dataDir)
const browser = await startBrowser()
const inDemo = { headers: { 'x-group-id': server.groupId } }
const start = () => startJourney(browser, server.url, server.groupId)

test('a first answer, with its cost', async () => {
  const { page, clicks } = await start()
  await inSidebar(page, 'Playground').click()
  await page.getByRole('button', { name: 'What should I check first when an API responds slowly?' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await answered(page)
  assert.equal(clicks(), 3)
})

test('why spend rose: the model that caused most of it', async () => {
  const { page, clicks } = await start()
  await inSidebar(page, 'Usage').click()
  await page.getByRole('heading', { name: 'Why did it rise?' }).waitFor()
  await page.getByRole('group', { name: 'Spend by' }).getByRole('button', { name: 'Model' }).click()
  const changes = page.getByRole('list', { name: 'Changes of spend' })
  await changes.getByText('demo-large').waitFor()
  // The first step is the period before, the next the largest change.
  assert.match((await changes.getByRole('listitem').nth(1).textContent()) ?? '', /^demo-large\+\$3\.\d\d$/)
  assert.equal(clicks(), 2)
})

test('why the request of a colleague failed', async () => {
  const { page, clicks } = await start()
  await inSidebar(page, 'Logs').click()
  await page.getByText('Errors', { exact: true }).last().click()
  await page
    .getByRole('row', { name: /demo-small.*400|400.*demo-small/ })
    .getByRole('link')
    .first()
    .click()
  await explained(page)
  assert.equal(clicks(), 3)
})

test('a statement that waits is approved', async () => {
  const { page, clicks } = await start()
  await page.getByRole('link', { name: /Approvals/ }).click()
  await page.getByRole('link', { name: /delete from carts/ }).click()
  await page.getByRole('heading', { name: 'Approval', level: 1 }).waitFor()
  await page.getByText('104', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  // The run that asked for it runs it then.
  await page.getByText('Approved and run', { exact: true }).waitFor()
  const { json: used } = await server.call('/api/v1/sql/approvals?status=used', inDemo)
  assert.match(used.data[0]?.sql ?? '', /^delete from carts/)
  assert.equal(clicks(), 3)
})

test('an agent runs', async () => {
  const { page, clicks } = await start()
  await inSidebar(page, 'Agents').click()
  await page.getByRole('link', { name: 'Data engineer' }).click()
  await page.getByLabel('Request', { exact: true }).fill('How many orders are there by status?')
  await page.getByRole('button', { name: 'Ask agent' }).click()
  await page.getByRole('status').getByText('Completed').waitFor()
  await page.getByText('The statement ran, and its result is above.', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Data engineer', exact: true }).waitFor()
  assert.equal(clicks(), 3)
})

test('a stand-up begins', async () => {
  const { page, clicks } = await start()
  await inSidebar(page, 'Initiatives').click()
  await page.getByRole('link', { name: 'Totals that add up' }).click()
  await page.getByRole('link', { name: 'Start stand-up' }).click()
  await page.getByRole('button', { name: 'Start stand-up' }).click()
  const talk = page.getByRole('log', { name: 'Conversation' })
  await talk.getByText('Should receipts be sent from a queue', { exact: false }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Yes, decide for the queue.')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Proposal: Send receipts from a queue' }).waitFor()
  assert.equal(clicks(), 4)
})

test('a session is found, and its cost', async () => {
  const { page, clicks } = await start()
  await inSidebar(page, 'Transcripts').click()
  await page.getByRole('searchbox').fill('rounding')
  // The list changes a moment after the last letter.
  await page.waitForURL(/[?&]q=rounding/)
  await page
    .getByRole('link', { name: /Round totals once/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Round totals once, at the end' }).waitFor()
  await page
    .getByText(/^\$0\.\d+/)
    .first()
    .waitFor()
  assert.equal(clicks(), 2)
})

test('a service that is down: who was notified, its incident, and what the public sees', async () => {
  const { page, clicks } = await start()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  await bell.getByRole('link', { name: /mail is down/ }).click()
  await page.getByText('Expected status 200, received 503.').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('Status page')
  await page.keyboard.press('Enter')
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open status page' }).click()
  const shown = await opened
  await shown.getByRole('heading', { name: 'Status of the demo shop' }).waitFor()
  await shown.getByText('Mail', { exact: true }).first().waitFor()
  assert.equal(clicks(), 3)
})

test('a colleague is invited', async () => {
  const { page, clicks } = await start()
  await inSidebar(page, 'Members').click()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Create/ })
    .click()
  await page.getByText('/join?token=', { exact: false }).waitFor()
  assert.equal(clicks(), 3)
})

journeysByKeyboard(start, async (title) => {
  const { status, text } = await server.call('/api/initiatives', { json: { title }, ...inDemo })
  assert.equal(status, 201, text)
})

test('the demo is in a group of its own, and the first group stays empty', async () => {
  for (const path of [
    '/api/services',
    '/api/tickets',
    '/api/transcripts',
    '/api/v1/limits',
    '/api/initiatives',
  ])
    assert.deepEqual((await server.call(path)).json.data, [], path)
  assert.equal((await server.call('/api/v1/keys')).json.data.length, 1)
})

test('its failed deployment leads over seven links to the initiative behind it', async () => {
  const { json: incidents } = await server.call('/api/incidents', inDemo)
  const found = incidents.data.find(({ cause }: { cause: string }) => cause.includes('voucher'))
  const { json } = await server.call(`/api/v1/why?type=incident&id=${found.id}`, inDemo)
  assert.deepEqual(
    json.chain.map(({ thing }: { thing: { type: string } }) => thing.type),
    [
      ...['incident', 'deployment', 'commit', 'pull_request', 'session', 'ticket', 'decision'],
      ...['initiative'],
    ],
  )
})

test('a budget is near its end, and a run waits for an answer', async () => {
  const { json: limits } = await server.call('/api/v1/limits', inDemo)
  const [{ used, amount }] = limits.data
  assert.ok(used / amount > 0.9 && used / amount < 1, `${used} of ${amount}`)
  const { json: runs } = await server.call('/api/agent-runs?status=waiting', inDemo)
  const kinds = runs.data.map(({ waiting_for }: { waiting_for: { kind: string } }) => waiting_for.kind)
  assert.ok(kinds.includes('question'), kinds.join(' '))
})

test('signalbox demo leaves a demo that runs already to the process that plays it', async () => {
  const { code, stderr } = await runCommand(['demo'], { DATA_DIR: dataDir })
  assert.equal(code, 1, stderr)
  assert.match(stderr, new RegExp(`The demo runs already: \\S+group_id=${server.groupId}`))
  const { json } = await server.call('/providers', {
    headers: { ...inDemo.headers, accept: 'application/json' },
  })
  const { base_url: address } = json.providers.find(({ id }: { id: string }) => id === 'demo')
  assert.equal((await fetch(`${address}/models`)).status, 200)
})

test('signalbox demo that cannot be filled says why and leaves no group', async () => {
  const folder = temporaryFolder()
  const plain = await spawnProduct({ DATA_DIR: folder, RUNTIME: 'builtin', LOG_LEVEL: 'fatal' })
  const { code, stderr } = await runCommand(['demo'], { DATA_DIR: folder })
  assert.equal(code, 1, stderr)
  assert.match(stderr, /does not allow private networks[^{}]*UPSTREAM_PRIVATE=1/)
  const groups = (await plain.call('/api/v1/groups')).json.data
  assert.deepEqual(
    groups.map(({ name }: { name: string }) => name),
    ['Default'],
  )
})

test('a second start has the demo as it was, and its provider responds again', async () => {
  const before = (await server.call('/api/v1/groups')).json.data
  const tickets = (await server.call('/api/tickets?limit=200', inDemo)).json.data.length
  await server.end()
  const again = await spawnDemo(dataDir)
  assert.deepEqual((await again.call('/api/v1/groups')).json.data, before)
  assert.equal((await again.call('/api/tickets?limit=200', inDemo)).json.data.length, tickets)
  const { json: services } = await again.call('/api/services', inDemo)
  assert.deepEqual(
    services.data.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`).toSorted(),
    ['checkout up', 'mail down', 'search up', 'storefront up'],
  )
  const key = await again.call('/api/v1/keys', { json: { name: 'again', scopes: ['gateway'] }, ...inDemo })
  const answer = await again.call('/v1/chat/completions', {
    key: key.json.key,
    json: { model: 'demo-small', messages: [{ role: 'user', content: 'Are you there?' }] },
  })
  assert.equal(answer.status, 200, answer.text)

  // Removing the group removes the demo.
  const removed = await again.call(`/api/v1/groups/${server.groupId}`, { method: 'DELETE' })
  assert.equal(removed.status, 204, removed.text)
  assert.equal((await again.call('/api/tickets', inDemo)).status, 404)
  assert.equal((await again.call('/status/demo-shop')).status, 404)
})
