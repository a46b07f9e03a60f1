/** Reading the archive: pages, search, export, images, deletion. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, databaseOf } from '../harness/database.ts'
import { startProduct } from '../harness/product.ts'
import {
  filesOf,
  get,
  lineOf,
  segment,
  sendFile,
  sessions,
  sha256,
  show,
  type Sent,
  type Shown,
} from './archive.ts'
import { at, pngData } from './sample.ts'
import { samples } from './samples/index.ts'

const server = await startProduct()
const { call, key } = server

const id = (digit: number) => `${digit}`.repeat(8) + '-4444-4444-8444-444444444444'
const project = (name: string) => `projects/-home-dev-${name}`
const record = (type: string, uuid: string, second: number, message: object, more: object = {}) =>
  JSON.stringify({
    type,
    uuid,
    parentUuid: null,
    timestamp: at(second),
    cwd: '/home/dev/shop',
    gitBranch: 'trunk',
    promptSource: 'typed',
    message,
    ...more,
  })
const user = (uuid: string, second: number, content: unknown, more: object = {}) =>
  record('user', uuid, second, { role: 'user', content }, more)
const assistant = (uuid: string, second: number, block: object) =>
  record('assistant', uuid, second, {
    id: `msg_${uuid}`,
    model: 'claude-opus-5',
    content: [block],
    usage: { input_tokens: 10, output_tokens: 5 },
  })
const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'

const main: Sent = {
  assistant: 'claude-code',
  path: `${project('shop')}/${id(1)}.jsonl`,
  lines: [
    user('u1', 0, 'Totals are off by one cent in the invoice <b>module</b>'),
    assistant('m1', 1, {
      type: 'tool_use',
      id: 't1',
      name: 'Bash',
      input: { command: 'grep -rn rounding src' },
    }),
    user('r1', 2, [{ type: 'tool_result', tool_use_id: 't1', content: 'src/invoice.ts: banker rounding' }]),
    user('u2', 3, [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pngData } }]),
    user('u3', 4, `the key is ${secret} ok`),
    assistant('m2', 5, { type: 'text', text: 'Fixed the rounding of invoices.' }),
  ],
}
const long: Sent = {
  assistant: 'claude-code',
  path: `${project('long')}/${id(2)}.jsonl`,
  lines: Array.from({ length: 25 }, (_, number) => user(`l${number}`, 100 + number, `line number${number}`)),
}
await sendFile(server, main)
await sendFile(server, long)
const byKey = async (external: string) =>
  (await sessions(server)).find((each) => each.external_id === external)
const shop = await byKey(id(1))
const longOne = await byKey(id(2))
assert.ok(shop && longOne)

test('a session has a title and a summary without a model', () => {
  assert.equal(shop.title, 'Totals are off by one cent in the invoice <b>module</b>')
  assert.match(shop.summary ?? '', /Outcome: Fixed the rounding of invoices\./)
})

test('pages go forwards and backwards, from a message and around it, without gap or repeat', async () => {
  const all = (await show(server, longOne.id)).messages.map(lineOf)
  assert.equal(all.length, 25)
  for (const order of ['asc', 'desc']) {
    const collected: string[] = []
    for (let cursor = ''; ;) {
      const page = await show(server, longOne.id, `?limit=7&order=${order}${cursor}`)
      collected.push(...page.messages.map(lineOf))
      if (page.next_cursor === null) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(order === 'asc' ? collected : collected.toReversed(), all)
  }
  const { messages } = await show(server, longOne.id)
  const middle = messages[12]
  const after = await show(server, longOne.id, `?limit=1000&after=${middle?.id}`)
  assert.deepEqual(after.messages.map(lineOf), all.slice(13))
  const around = await show(server, longOne.id, `?limit=5&around=${middle?.id}`)
  assert.deepEqual(around.messages.map(lineOf), all.slice(10, 15))
  const later = await show(server, longOne.id, `?limit=100&cursor=${around.next_cursor}`)
  assert.deepEqual(later.messages.map(lineOf), all.slice(15))
  const earlier = await show(server, longOne.id, `?limit=100&order=desc&cursor=${around.prev_cursor}`)
  assert.deepEqual(earlier.messages.map(lineOf).toReversed(), all.slice(0, 10))
})

test('a page of long messages ends before they are too much, and the next one continues there', async () => {
  const path = `${project('huge')}/${id(8)}.jsonl`
  const lines = Array.from({ length: 20 }, (_, number) => user(`h${number}`, 200 + number, `huge ${number}`))
  await sendFile(server, { assistant: 'claude-code', path, lines })
  const huge = await byKey(id(8))
  assert.ok(huge)
  // A million bytes each, of which 8 fit into 8 MiB.
  await administer(
    `update transcripts.messages set content = rpad(content, 1000000, '.')
     where session_no = (select no from transcripts.sessions where id = '${huge.id}')`,
    databaseOf(server),
  )
  const namesOf = (page: Shown) => page.messages.map(({ content }) => /^huge \d+/.exec(content ?? '')?.[0])
  const collected: unknown[] = []
  for (let cursor = ''; ;) {
    const page = await show(server, huge.id, cursor)
    assert.ok(page.messages.length <= 8)
    collected.push(...namesOf(page))
    if (page.next_cursor === null) break
    cursor = `?cursor=${page.next_cursor}`
  }
  assert.deepEqual(
    collected,
    lines.map((_, number) => `huge ${number}`),
  )
  const [, middle] = (await show(server, huge.id, `?cursor=${(await show(server, huge.id)).next_cursor}`))
    .messages
  const around = await show(server, huge.id, `?limit=20&around=${middle?.id}`)
  assert.deepEqual([namesOf(around).at(0), namesOf(around).at(-1)], ['huge 1', 'huge 16'])
  assert.ok(around.prev_cursor !== null && around.next_cursor !== null)
})

test('a search finds prompts, tool calls and results, marks the words, and escapes the rest', async () => {
  const hits = async (query: string) => (await get(server, `/api/transcripts/search?${query}`)).data
  const [first] = await hits('q=invoice&kind=text&role=user')
  assert.equal(
    first.highlight,
    'Totals are off by one cent in the <mark>invoice</mark> &lt;b&gt;module&lt;/b&gt;',
  )
  assert.equal(first.session.external_id, id(1))
  assert.equal(first.message_id, (await show(server, shop.id)).messages[0]?.id)
  assert.deepEqual(
    (await hits('q=rounding&sort=time')).flatMap((hit: { kind: string | null }) => hit.kind ?? []),
    ['text', 'tool_result', 'tool_call'],
  )
  assert.deepEqual((await hits('q=rounding&tool=Bash')).length, 1)
  assert.deepEqual((await hits('q=rounding&tool=Edit')).length, 0)
  assert.deepEqual((await hits('q=rounding&project=/home/dev/other')).length, 0)
  assert.ok((await hits('q=rounding&project=/home/dev')).length > 0)
  assert.deepEqual((await hits('q=the&sort=time')).length, 0)
  assert.deepEqual((await hits(`q=number3&session_id=${longOne.id}`)).length, 1)
  assert.deepEqual((await hits(`q=number3&session_id=${shop.id}`)).length, 0)
})

test('pages of a search follow each other', async () => {
  const found: string[] = []
  for (let cursor = ''; ;) {
    const page = await get(server, `/api/transcripts/search?q=line&kind=text&limit=10${cursor}`)
    found.push(...page.data.map((hit: { message_id: string }) => hit.message_id))
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.equal(new Set(found).size, 25)
  assert.equal(found.length, 25)
})

test('what looks like a key is stored nowhere', async () => {
  const { messages } = await show(server, shop.id)
  assert.match(messages.map(lineOf).join('\n'), /the key is .*\[masked\]/)
  const { text } = await call(`/api/transcripts/${shop.id}/export?format=json&redact=false`, { key })
  assert.ok(!text.includes(secret))
})

test('an export holds every message; a redacted one leaves out outputs, paths and the machine', async () => {
  const markdown = await call(`/api/transcripts/${shop.id}/export?redact=false`, { key })
  assert.match(
    markdown.headers.get('content-disposition') ?? '',
    /^attachment; filename="claude-code-[\w-]+\.md"$/,
  )
  assert.match(markdown.text, /banker rounding/)
  const json = await call(`/api/transcripts/${longOne.id}/export?format=json`, { key })
  assert.equal(json.json.messages.length, 25)
  const redacted = (await call(`/api/transcripts/${shop.id}/export?format=json`, { key })).text
  for (const word of ['banker', '/home/dev/shop"', 'laptop']) assert.ok(!redacted.includes(word), word)
})

test('an image is cut out of the line and served as nothing but an image', async () => {
  const { messages } = await show(server, shop.id)
  const image = messages.find(({ kind }) => kind === 'image')?.image
  const bytes = Buffer.from(pngData, 'base64')
  assert.equal(image?.url, `/api/transcripts/${shop.id}/images/${sha256(bytes)}`)
  const response = await fetch(`${server.url}${image?.url}`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.headers.get('content-type'), 'image/png')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes)
  assert.equal((await call(`/api/transcripts/${longOne.id}/images/${sha256(bytes)}`, { key })).status, 404)
})

test('a bad parameter returns 400 and is named', async () => {
  for (const [path, param] of [
    ['?limit=501', 'limit'],
    ['?assistant=cobol', 'assistant'],
    ['?cursor=1', 'cursor'],
    ['?projct=x', 'projct'],
    ['?since=noon', 'since'],
    ['/search', 'q'],
    ['/search?q=x&role=king', 'role'],
    ['/search?q=x&cursor=9999', 'cursor'],
    [`/${shop.id}?limit=1001`, 'limit'],
    [`/${shop.id}?cursor=x`, 'cursor'],
    [`/${shop.id}?after=x`, 'after'],
  ]) {
    const { status, json } = await call(`/api/transcripts${path}`, { key })
    assert.deepEqual([status, json.error?.param], [400, param], path)
  }
})

test('a session of another group does not exist', async () => {
  const { json: other } = await call('/api/v1/groups', { json: { name: 'Other' } })
  const headers = { 'x-group-id': other.id as string }
  for (const path of ['', '/unknown', '/export', `/images/${'0'.repeat(64)}`])
    assert.equal((await call(`/api/transcripts/${shop.id}${path}`, { headers })).status, 404, path)
  assert.equal((await call(`/api/transcripts/${shop.id}`, { headers, method: 'DELETE' })).status, 404)
  assert.deepEqual((await call('/api/transcripts', { headers })).json.data, [])
  assert.deepEqual((await call('/api/transcripts/search?q=rounding', { headers })).json.data, [])
})

test('subagents and forks belong to their sessions, whichever arrives first', async () => {
  const claude = samples.find((sample) => sample.assistant === 'claude-code')
  assert.ok(claude)
  for (const file of filesOf(claude).toReversed()) await sendFile(server, file)
  const listed = await sessions(server, '?assistant=claude-code')
  const original = listed.find(({ external_id }) => external_id.startsWith('11111111-1111'))
  assert.ok(original)
  const { session } = await show(server, original.id)
  assert.ok(session.subagents.length > 0)
  const ids = new Set(listed.map((each) => each.id))
  for (const subagent of session.subagents) assert.ok(!ids.has(subagent.id), 'a subagent is not listed')
  const subagents = await sessions(server, `?parent_id=${original.id}`)
  assert.deepEqual([...new Set(subagents.map((each) => each.parent_id))], [original.id])
})

test('of two copies of the same age one is the original, whichever arrives first', async () => {
  const qwen = samples.find((sample) => sample.assistant === 'qwen')
  assert.ok(qwen)
  for (const file of filesOf(qwen).toReversed()) await sendFile(server, file)
  const listed = await sessions(server, '?assistant=qwen')
  const tokens = listed.map(({ external_id, input_tokens }) => `${external_id.slice(0, 8)} ${input_tokens}`)
  assert.deepEqual(tokens.toSorted(), ['36088f54 100', '47c5a393 0'])
})

test('a deleted session is erased, and its watcher does not bring it back', async () => {
  const file: Sent = {
    ...main,
    path: `${project('gone')}/${id(5)}.jsonl`,
    lines: [user('x', 900, 'zeppelin')],
  }
  await sendFile(server, file)
  const session = await byKey(id(5))
  const gone = await call(`/api/transcripts/${session?.id}`, { key, method: 'DELETE' })
  assert.equal(gone.status, 204)
  assert.equal((await call(`/api/transcripts/${session?.id}`, { key })).status, 404)
  const end = (file.lines[0]?.length ?? 0) + 1
  const more = segment(file, [user('y', 901, 'zeppelin again')], end)
  assert.equal((await call('/api/transcripts/ingest', { key, json: more })).status, 200)
  assert.equal(await byKey(id(5)), undefined)
  assert.deepEqual((await get(server, '/api/transcripts/search?q=zeppelin')).data, [])
})
