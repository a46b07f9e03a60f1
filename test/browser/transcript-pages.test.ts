import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'
import { waitFor } from '../harness/wait.ts'
import { get, sendFile, sessions } from '../transcripts/archive.ts'
import { Conversation, longConversation } from '../transcripts/conversation.ts'

const server = await startProduct()
const { open } = await startPages(server)

const feed = (page: Page) => page.getByRole('feed', { name: 'Messages' })
const list = (page: Page) => page.getByRole('table', { name: 'Sessions' })
const card = (page: Page, text: string) => feed(page).getByRole('article').filter({ hasText: text })
const keyOf = (place: number) => `5b7f0f7e-0000-4000-8000-${String(place).padStart(12, '0')}`

/** Sends the conversation and returns the id of its session. */
async function store({ file, id }: Conversation, machine = 'laptop'): Promise<string> {
  await sendFile(server, file, file.lines.length > 8_000 ? Array(20).fill(6_000) : [], { machine })
  return (await sessions(server, `?external_id=${id}`))[0]?.id ?? ''
}

/** Stored while other tests run. */
let long = Promise.resolve('')

/** How far the list is from its end, in pixels. */
const fromEnd = (page: Page) =>
  feed(page).evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)

/** The messages in the document, by their distance from the top of the window. */
const tops = (page: Page): Promise<[id: string, top: number][]> =>
  feed(page)
    .getByRole('article')
    .evaluateAll((articles) => articles.map((each) => [each.id, each.getBoundingClientRect().top]))

/** How far the messages have moved; null while they are moving. */
async function distancesAtRest(page: Page, before: ReadonlyMap<string, number>): Promise<number[] | null> {
  const distances = async () => (await tops(page)).flatMap(([id, top]) => top - (before.get(id) ?? NaN) || [])
  const [first, second] = [await distances(), await distances()]
  return first.some((distance) => distance > 50) && first.join() === second.join() ? second : null
}

const edit = {
  file_path: '/home/dev/shop/cart.ts',
  old_string: 'const a = 1\nconst total = sum(lines)\n',
  new_string: 'const a = 1\nconst total = sumInCents(lines)\n',
}

const shopping = () =>
  new Conversation(keyOf(1))
    .injected('<system-reminder>Remember the rules.</system-reminder>')
    .prompt('Totals in the <b>cart</b> are off by one cent.')
    .thinking('The sums are floats.')
    .answer('I look at **cart.ts** first.\n\n<img src=x onerror=alert(1)>')
    .tool('Edit', edit, 'The file was updated.')
    .tool('Bash', { command: 'npm test' }, 'Expected: 26.97', true)
    .compaction('The conversation so far:\nThe rounding was changed.')
    .answer('Totals are now summed in cents.')
    .title('Fix the rounding of totals')

test('without sessions the page shows how to watch a machine', async () => {
  const page = await open('/transcripts')
  await page.getByRole('heading', { name: 'No sessions yet' }).waitFor()
  const command = await page.getByLabel('Watch a machine', { exact: true }).innerText()
  assert.ok(command.includes(`signalbox watch --to ${server.url}`), command)
})

test('the list names project, assistant, machine, branch and size, and its filters are in the address', async () => {
  long = store(longConversation(keyOf(3), 50_000))
  await store(shopping())
  await store(new Conversation(keyOf(2)).prompt('Write a poem.').title('A poem'), 'desktop')
  const page = await open('/transcripts')
  const row = list(page).getByRole('row').filter({ hasText: 'Fix the rounding of totals' })
  for (const text of ['Claude Code', 'laptop', '…/dev/shop', 'main']) await row.getByText(text).waitFor()
  await page.goto(`${server.url}/transcripts?machine=desktop`)
  await list(page).getByRole('link', { name: 'A poem' }).waitFor()
  assert.equal(await list(page).getByRole('row').count(), 2, 'the header and one session')
  await page.getByLabel('Machine').selectOption('')
  await row.waitFor()
  await page.getByLabel('Assistant').selectOption('codex')
  await page.waitForURL(/assistant=codex/)
  await page.getByRole('heading', { name: 'No matching sessions' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await row.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Fix the rounding of totals' }).waitFor()
})

test('a session shows prompts, Markdown, folded thinking, tools with results, diffs, failures and compactions', async () => {
  const [{ id } = { id: '' }] = await sessions(server, `?external_id=${keyOf(1)}`)
  const page = await open(`/transcripts/${id}`)
  await card(page, 'Totals in the <b>cart</b> are off').waitFor()
  await card(page, 'I look at').getByText('cart.ts', { exact: true }).waitFor()
  assert.equal(await feed(page).locator('img, script').count(), 0, 'HTML in a message is not run')
  const thinking = feed(page).getByRole('button', { name: /^Thinking/ })
  assert.equal(await thinking.getAttribute('aria-expanded'), 'false')
  await thinking.click()
  await feed(page).getByText('The sums are floats.').last().waitFor()
  const diff = feed(page).getByLabel('Changes of /home/dev/shop/cart.ts')
  assert.match(
    await diff.innerText(),
    /−\s*const total = sum\(lines\)\s*\+\s*const total = sumInCents\(lines\)/,
  )
  const failed = card(page, 'npm test')
  await failed.getByText('failed', { exact: true }).waitFor()
  await failed.getByText('Expected: 26.97').waitFor()
  await feed(page).getByText('Conversation compacted automatically').waitFor()
  await feed(page).getByText('Summary after compaction').waitFor()
  await feed(page).getByText('Added by the assistant').waitFor()
  await page.getByRole('button', { name: 'Errors' }).click()
  await page.waitForURL(/show=errors/)
  await card(page, 'I look at').waitFor({ state: 'detached' })
  await failed.waitFor()
  assert.equal(await feed(page).getByRole('article').count(), 1)
})

test('on a phone the figures of a session stay on one line', async () => {
  const page = await open('/transcripts', 390)
  const figures = page.getByRole('list', { name: 'Sessions' }).getByText(/^\d+ messages · \d+ s$/)
  const { height = 0 } = (await figures.first().boundingBox()) ?? {}
  assert.ok(height > 0 && height < 24, `${height} px high`)
})

test('a session is exported as Markdown or JSON, for sharing without what the tools printed', async () => {
  const [{ id } = { id: '' }] = await sessions(server, `?external_id=${keyOf(1)}`)
  const page = await open(`/transcripts/${id}`)
  const save = async (name: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name, exact: true }).click(),
    ])
    return readFileSync(await file.path(), 'utf8')
  }
  const whole = await save('Markdown')
  assert.ok(whole.startsWith('# Fix the rounding of totals\n'), whole.slice(0, 200))
  assert.ok(whole.includes('Expected: 26.97'))
  const shared = JSON.parse(await save('Redacted JSON')) as { messages: { content: string | null }[] }
  const contents = shared.messages.map(({ content }) => content)
  assert.ok(contents.includes('Totals are now summed in cents.'))
  assert.ok(!contents.some((content) => content?.includes('26.97')))
})

test('a search leads to the hit in place, unfolded and marked', async () => {
  const page = await open('/transcripts')
  await page.keyboard.press('/')
  // The list is drawn again with the results of the whole text.
  const found = page.waitForResponse((response) => response.url().includes('26.97'))
  await page.keyboard.type('"Expected: 26.97"')
  await found
  const hits = page.getByRole('region', { name: 'Fix the rounding of totals' })
  await hits.getByText('1 hit').or(hits.getByRole('link').nth(1)).waitFor()
  assert.equal(await hits.locator('mark').first().innerText(), 'Expected')
  await hits.getByRole('listitem').getByRole('link').first().click()
  await page.waitForURL(/message=/)
  const target = page.locator('[aria-current=location]')
  await target.getByText('Expected: 26.97').waitFor()
  await page.getByText('1 of 1').waitFor()
})

test('a session of 50,000 messages opens at its end at once, and loads upwards without moving what is read', async () => {
  const id = await long
  const started = performance.now()
  const page = await open(`/transcripts/${id}`)
  await card(page, 'Answer 8333').locator('.markdown').waitFor()
  const milliseconds = performance.now() - started
  assert.ok(milliseconds < 15_000, `opened after ${milliseconds.toFixed(0)} ms`)
  assert.ok((await fromEnd(page)) <= 1)
  const size = () => page.locator('*').count()
  assert.ok((await size()) < 3_000, `${await size()} elements`)
  await feed(page).hover()
  const first = await card(page, 'Answer 8333').getAttribute('id')
  // Several pages of messages are loaded meanwhile.
  for (let round = 0; round < 30; round++) {
    const before = new Map((await tops(page)).filter(([, top]) => top > 200 && top < 700))
    await page.mouse.wheel(0, -300)
    const distances = await waitFor('the list to come to rest', () => distancesAtRest(page, before))
    // A page that arrives meanwhile ends the movement early; nothing moves further, or differently.
    const [least, most] = [Math.min(...distances), Math.max(...distances)]
    assert.ok(least > 50 && most < 302 && most - least < 2, `round ${round}: ${distances.join(' ')}`)
  }
  assert.ok(
    (await tops(page)).every(([id]) => id !== first),
    'the end is out of the document',
  )
  assert.ok((await size()) < 3_000, `${await size()} elements after scrolling`)
})

test('a link to a message opens it among its neighbours, and the way to the newest ones stays', async () => {
  const id = await long
  const found = await get(server, `/api/transcripts/search?q="Answer 4000"&session_id=${id}`)
  const message = found.data[0].message_id as string
  const page = await open(`/transcripts/${id}#m-${message}`)
  const target = page.locator('[aria-current=location]')
  await target.getByText('Answer 4000.').waitFor()
  await card(page, 'Prompt 4001:').waitFor()
  await target.hover()
  await target.getByRole('button', { name: 'Copy link to this message' }).click()
  const link = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.equal(link, `${server.url}/transcripts/${id}?message=${message}`)
  await page.goto(link)
  await target.getByText('Answer 4000.').waitFor()
  await page.keyboard.press('k')
  await card(page, 'Prompt 4000:').waitFor()
  await page.getByRole('button', { name: 'Newest messages' }).click()
  await card(page, 'Answer 8333').waitFor()
})

test('a running session grows on the page; a reader who is elsewhere sees how much is new', async () => {
  const conversation = new Conversation(keyOf(4), Date.now() - 120_000)
  for (let turn = 0; turn < 20; turn++)
    conversation.prompt(`Question ${turn}`).answer(`Reply ${turn}. `.repeat(30))
  const id = await store(conversation)
  const page = await open(`/transcripts/${id}`)
  await card(page, 'Reply 19.').waitFor()
  /** The archive has stored the file up to here: only what is new is sent. */
  const grow = async (text: string) => {
    const stored = conversation.file.lines.length
    const offset = Buffer.byteLength(conversation.file.lines.map((line) => `${line}\n`).join(''))
    conversation.answer(text)
    const lines = conversation.file.lines.slice(stored)
    const json = {
      ...segmentOf(conversation),
      from: offset,
      to: offset + Buffer.byteLength(`${lines.join('\n')}\n`),
      lines,
    }
    assert.equal((await server.call('/api/transcripts/ingest', { key: server.key, json })).status, 200)
  }
  await grow('It grows.')
  await card(page, 'It grows.').waitFor()
  assert.ok((await fromEnd(page)) <= 1, 'the list follows its end')
  await feed(page).hover()
  await page.mouse.wheel(0, -600)
  await page.getByRole('button', { name: 'Newest messages' }).waitFor()
  await grow('It still grows.')
  await page.getByRole('button', { name: '1 new message' }).click()
  await card(page, 'It still grows.').waitFor()
})

const segmentOf = ({ file }: Conversation) => ({
  machine: 'laptop',
  assistant: file.assistant,
  root: '/home/dev/root',
  path: file.path,
  generation: 0,
  identity: null,
})
