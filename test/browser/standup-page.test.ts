import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'
import { proposedDecision, scriptProposals } from '../harness/standup-script.ts'
import { waitFor } from '../harness/wait.ts'

const wire = 'anthropic'
const server = await startGateway({ STANDUP_MODEL: exampleModels[wire], RUNTIME: 'builtin' })
const { fake, call } = server
const { open } = await startPages(server)

const create = async (path: string, json: object) => (await call(path, { json })).json

test('from a new initiative to an approved decision record', async () => {
  await create('/api/devlogs', { title: 'Load test', log_type: 'note', content: 'p95 was 210 ms' })
  const page = await open('/initiatives?new=true')
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill('Checkout in one step')
  await form.getByRole('button', { name: 'Create initiative' }).click()
  await page.getByRole('button', { name: 'Add criterion' }).click()
  const added = page.getByRole('form', { name: 'Add criterion' })
  await added.getByLabel('Criterion').fill('p95 is below 300 ms')
  await added.getByText('With a first estimate').click()
  await added.getByRole('button', { name: 'Add criterion' }).click()
  await page.getByText('1 change', { exact: true }).waitFor()
  const { json: initiative } = await call('/api/initiatives/checkout-in-one-step')

  fake.script(wire, { text: 'The confidence is **50**. What do you want to decide?' })
  await page.getByRole('link', { name: 'Start stand-up' }).click()
  await page.getByRole('button', { name: 'Start stand-up' }).click()
  const talk = page.getByRole('log', { name: 'Conversation' })
  await talk.getByText('What do you want to decide?').waitFor()
  await page.getByRole('heading', { name: 'Brief' }).waitFor()
  await page.getByText('The first stand-up').waitFor()

  scriptProposals(fake, wire, initiative.criteria[0].id)
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('We keep')
  await message.press('Shift+Enter')
  await message.pressSequentially('guest checkout.')
  await message.press('Enter')
  await talk.getByText('We keep\nguest checkout.').waitFor()
  await talk.getByText('Two proposals are at the side.', { exact: true }).waitFor()
  await talk.getByText('Read 1 devlog').click()
  await talk.getByRole('link', { name: 'Load test' }).first().waitFor()
  await talk.getByRole('region', { name: 'Question: Direction' }).getByText('Keep guests?').waitFor()
  await talk.getByRole('region', { name: 'Research: load test' }).waitFor()
  assert.equal(await page.evaluate(() => 'attacked' in globalThis), false)

  // A second tab shows the same, and what is settled in one appears in the other.
  const second = await open('/initiatives/checkout-in-one-step/standup')
  await second.getByText('Two proposals are at the side.', { exact: true }).waitFor()
  const confidence = page.getByRole('region', { name: 'Proposal: p95 is below 300 ms' })
  await confidence.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog')
  await edit.getByLabel(/^Confidence: 80%/).press('ArrowLeft')
  await edit.getByRole('button', { name: 'Save and accept' }).click()
  await confidence.getByText('was 50%, agent: 80%').waitFor()
  const same = second.getByRole('region', { name: 'Proposal: p95 is below 300 ms' })
  await same.getByText('accepted', { exact: true }).waitFor()
  await same.getByText('70%', { exact: true }).waitFor()
  await second
    .getByRole('region', { name: 'Proposal: Keep guest checkout' })
    .getByRole('button', { name: 'Accept' })
    .click()
  await page
    .getByRole('region', { name: 'Proposal: Keep guest checkout' })
    .getByText('accepted', { exact: true })
    .waitFor()
  assert.deepEqual((await call(`/api/initiatives/${initiative.id}`)).json, initiative)

  fake.script(wire, { text: 'Guest checkout stays.' })
  await page.getByRole('button', { name: 'End stand-up' }).click()
  const end = page.getByRole('dialog', { name: 'End stand-up?' })
  await end.getByText('a draft for 2 proposals').waitFor()
  await end.getByRole('button', { name: 'End stand-up' }).click()
  await page.getByText('3 drafts to review').waitFor()
  await second.getByText('3 drafts to review').waitFor()
  assert.deepEqual((await call(`/api/initiatives/${initiative.id}`)).json, initiative)

  const notes = page.getByRole('region', { name: /^Meeting notes/ })
  await notes.getByText('Guest checkout stays.').waitFor()
  await notes.getByRole('button', { name: 'Reject' }).click()
  await notes.getByLabel('Reason').fill('Too short')
  await notes.getByRole('button', { name: 'Reject draft' }).click()
  await notes.getByText('Too short').waitFor()
  const update = page.getByRole('region', { name: /^Confidence change/ })
  await update.getByRole('button', { name: 'Edit' }).click()
  const content = update.getByLabel('Content', { exact: true })
  await content.fill((await content.inputValue()).replace('→ 70', '→ many'))
  await update.getByRole('button', { name: 'Approve edited draft' }).click()
  await update.getByRole('alert').waitFor()
  await content.fill((await content.inputValue()).replace('→ many', '→ 60'))
  await update.getByRole('button', { name: 'Approve edited draft' }).click()
  await update.getByText('approved', { exact: true }).waitFor()

  const record = page.getByRole('region', { name: /^Decision record/ })
  const download = page.waitForEvent('download')
  await record.getByRole('link', { name: 'Markdown' }).click()
  assert.match((await download).suggestedFilename(), /keep-guest-checkout\.md$/)
  await record.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Every draft is settled').waitFor()
  await page.reload()
  await page.getByText('Every draft is settled').waitFor()

  await page.getByRole('link', { name: 'Open initiative' }).click()
  await page.getByRole('link', { name: 'Keep guest checkout' }).first().click()
  const panel = page.getByRole('dialog', { name: /Keep guest checkout/ })
  await panel.getByText('Guests may buy without an account.').waitFor()
  const { json: saved } = await call(`/api/initiatives/${initiative.id}`)
  const { title, context, options, rationale, consequences } = saved.decisions[0]
  assert.deepEqual(
    { title, context, options, decision: saved.decisions[0].decision, rationale, consequences },
    proposedDecision,
  )
  assert.deepEqual([saved.criteria[0].confidence, saved.criteria[0].history.at(-1).proposed], [60, 80])
  await second.context().close()

  // Its requests are what the initiative cost so far.
  const { json: cost } = await call(`/api/initiatives/${initiative.id}/cost`)
  const { json: sessions } = await call(`/api/initiatives/${initiative.id}/standups`)
  const { json: logged } = await call(`/api/v1/logs/summary?session=${sessions.data[0].id}`)
  assert.deepEqual([cost.exact.cost, cost.exact.requests], [logged.total_cost, logged.requests])
  assert.deepEqual(
    cost.sources.map(({ kind, id }: { kind: string; id: string }) => [kind, id]),
    [['standup', sessions.data[0].id]],
  )
})

test('what the agent says appears while it speaks, survives a reload and can be stopped', async () => {
  const { slug } = await create('/api/initiatives', { title: 'Spoken slowly' })
  fake.script(wire, { repeat: { text: 'word ', times: 2_000 }, chunkEveryMs: 20 })
  const page = await open(`/initiatives/${slug}/standup`)
  await page.getByRole('button', { name: 'Start stand-up' }).click()
  const speech = page.getByRole('article', { name: 'Agent' })
  const words = async (): Promise<number> => (await speech.textContent())?.match(/word/g)?.length ?? 0
  await waitFor('the first words', async () => (await words()) > 5)
  assert.equal(await speech.getAttribute('aria-busy'), 'true')
  const before = await words()
  await page.reload()
  await speech.waitFor()
  await waitFor('more words', async () => (await words()) > before)
  await page.getByRole('button', { name: 'Stop the agent' }).click()
  await page.getByText('The agent was interrupted here.').waitFor()
  assert.ok((await words()) < 2_000)
})

test('a reload in the middle shows the same; research, an answer by a click and a failing provider are shown', async () => {
  const { id, slug } = await create('/api/initiatives', { title: 'Interrupted' })
  const { criteria } = await create(`/api/initiatives/${id}/criteria`, { text: 'It works', confidence: 50 })
  fake.script(wire, { text: 'Hello.' })
  const page = await open(`/initiatives/${slug}/standup`)
  await page.getByRole('button', { name: 'Start stand-up' }).click()
  const talk = page.getByRole('log', { name: 'Conversation' })
  await talk.getByText('Hello.').waitFor()
  scriptProposals(fake, wire, criteria[0].id)
  await page.getByRole('textbox', { name: 'Message' }).fill('Propose something')
  await page.getByRole('button', { name: 'Send' }).click()
  await talk.getByText('Two proposals are at the side.', { exact: true }).waitFor()
  await page.reload()
  await talk.getByText('Propose something').waitFor()
  await talk.getByText('Two proposals are at the side.', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Proposal: Keep guest checkout' }).getByText('pending').waitFor()

  await page.locator('h1').click()
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'What to look up' }).fill('load test')
  await page.keyboard.press('Enter')
  await talk.getByText('requested,').waitFor()

  fake.script(wire, { error: { status: 500, message: 'The model is out of order' } })
  await talk.getByRole('button', { name: 'Keep them' }).click()
  await talk.getByRole('alert').waitFor()
  await talk.getByText('The stand-up continues').waitFor()
  fake.script(wire, { text: 'Back again.' })
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Again')
  await page.keyboard.press('Enter')
  await talk.getByText('Back again.').waitFor()

  await page.locator('h1').click()
  await page.keyboard.press('e')
  const end = page.getByRole('dialog', { name: 'End stand-up?' })
  await end.getByText('Draft the record').click()
  await end.getByRole('button', { name: 'End stand-up' }).click()
  await page.getByText('Nothing was drafted').waitFor()
  const { json } = await call(`/api/initiatives/${id}`)
  assert.deepEqual([json.decisions, json.artifacts, json.criteria], [[], [], criteria])
})
