/** The search of the archive: what is asked for is found, whatever became of the parts of the index. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createDeriver } from '../../src/transcripts/derive/index.ts'
import { mergeSmallParts } from '../../src/transcripts/search/upkeep.ts'
import { startProduct } from '../harness/product.ts'
import { get, segment, sendFile, sessions, type Sent } from './archive.ts'

const server = await startProduct()
const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
const database = openDatabase(server.target, log)
after(() => database.close())
const deriver = createDeriver()
after(() => deriver.close())

const id = (digit: number) => `${digit}`.repeat(8) + '-5555-4444-8444-444444444444'
const time = (minute: number) => new Date(Date.UTC(2026, 10, 16, 8, minute)).toISOString()
const prompt = (uuid: string, minute: number, content: string, folder: string) =>
  JSON.stringify({
    type: 'user',
    uuid,
    parentUuid: null,
    timestamp: time(minute),
    cwd: `/home/dev/${folder}`,
    promptSource: 'typed',
    message: { role: 'user', content },
  })

/** Sessions 1 to 4, each line a segment of its own. */
const texts = [
  'the parser drops the last line',
  'the last parser line is dropped',
  'a lexer for rust',
  'rust and the borrow checker',
]
const folders = ['one', 'two', 'one', 'two']
const files = texts.map((text, index): Sent => ({
  assistant: 'claude-code',
  path: `projects/-home-dev/${id(index + 1)}.jsonl`,
  lines: Array.from({ length: 12 }, (_, line) =>
    prompt(`s${index}-${line}`, index * 12 + line, `${text} n${index}x${line}`, folders[index] ?? ''),
  ),
}))
for (const file of files) await sendFile(server, file, Array(12).fill(1))

const partCount = async (): Promise<number> =>
  (await database.pool.query('select no from transcripts.index_parts')).rows.length

async function found(query: string): Promise<string[]> {
  const { data } = await get(server, `/api/transcripts/search?kind=text&sort=time&limit=100&${query}`)
  return data.map(
    ({ highlight }: { highlight: string }) => /n\dx\d+/.exec(highlight.replaceAll(/<\/?mark>/g, ''))?.[0],
  )
}

async function check(): Promise<void> {
  const bySession = (index: number) => Array.from({ length: 12 }, (_, line) => `n${index}x${11 - line}`)
  assert.deepEqual(await found('q=lexer'), bySession(2))
  assert.deepEqual(await found('q=rust'), [...bySession(3), ...bySession(2)])
  assert.deepEqual(await found('q=rust+-lexer'), bySession(3))
  assert.deepEqual(await found('q=lexer+or+borrow'), [...bySession(3), ...bySession(2)])
  assert.deepEqual(await found(`q=${encodeURIComponent('"last line"')}`), bySession(0))
  assert.deepEqual(await found(`q=${encodeURIComponent('parser -"last line"')}`), bySession(1))
  assert.deepEqual(await found('q=n1x7'), ['n1x7'])
  assert.deepEqual(await found('q=parser&project=/home/dev/two'), bySession(1))
  assert.deepEqual(await found('q=rust&project=/home/dev/one'), bySession(2))
  assert.deepEqual(await found('q=rust&assistant=codex'), [])
  assert.deepEqual(await found('q=rust&role=assistant'), [])
  assert.deepEqual(await found(`q=rust&since=${time(34)}&until=${time(37)}`), ['n3x0', 'n2x11', 'n2x10'])
  const [one] = (await sessions(server)).filter(({ external_id }) => external_id === id(3))
  assert.deepEqual(await found(`q=rust&session_id=${one?.id}`), bySession(2))
}

test('words, phrases, alternatives and filters find what they ask for, in small parts and in merged ones', async () => {
  assert.ok((await partCount()) >= 48)
  await check()
  await mergeSmallParts({ pool: database.pool, deriver })
  assert.ok((await partCount()) < 32)
  await check()
})

test('titles and messages are found by the same words: exact phrases, parts of names, every script', async () => {
  const texts = [
    'State of the art in PgPoolClient',
    'States of an art',
    'これは日本語です',
    'order2219 “naïve” – café',
    'What it is, is it?',
  ]
  for (const [index, text] of texts.entries())
    await sendFile(server, {
      assistant: 'claude-code',
      path: `projects/-home-dev/${id(index + 5)}.jsonl`,
      lines: [
        prompt(`t${index}`, 100 + index, text, 'titles'),
        JSON.stringify({ type: 'custom-title', customTitle: text, sessionId: id(index + 5) }),
      ],
    })
  const indexes = async (q: string, only: 'title' | 'message') => {
    const { data } = await get(server, `/api/transcripts/search?limit=100&q=${encodeURIComponent(q)}`)
    const hits = data.filter(
      ({ message_id }: { message_id: string | null }) => (message_id === null) === (only === 'title'),
    )
    return hits
      .map(({ session }: { session: { external_id: string } }) => Number(session.external_id[0]) - 5)
      .toSorted()
  }
  for (const [q, expected] of [
    ['"state of the art"', [0]],
    ['"of an art"', [1]],
    ['"what it is"', [4]],
    ['"it is what"', []],
    ['pool', [0]],
    ['PgPool', [0]],
    ['日本語', [2]],
    ['本', [2]],
    ['日語', []],
    ['2219', [3]],
    ['NAÏVE', [3]],
    ['cafe\u0301', [3]],
  ] as const)
    for (const only of ['title', 'message'] as const)
      assert.deepEqual(await indexes(q, only), expected, `${q} in a ${only}`)
})

test('the best of all matches comes first, however old it is', async () => {
  const many = Array.from({ length: 700 }, (_, line) =>
    prompt(
      `r${line}`,
      200 + line,
      line === 0 ? 'quokka quokka quokka' : `one quokka among other words ${line}`,
      'rank',
    ),
  )
  await sendFile(server, {
    assistant: 'claude-code',
    path: `projects/-home-dev/0${id(1).slice(1)}.jsonl`,
    lines: many,
  })
  const { data } = await get(server, '/api/transcripts/search?q=quokka&kind=text&limit=1')
  assert.match(data[0].highlight, /quokka<\/mark> <mark>quokka/)
})

test('of more than 1,000 matches the newest 1,000 are ranked, each on one page', async () => {
  const many = Array.from({ length: 1_100 }, (_, line) =>
    prompt(`w${line}`, 1_000 + line, line === 0 ? 'wombat '.repeat(9) : `wombat number ${line}`, 'pages'),
  )
  await sendFile(server, {
    assistant: 'claude-code',
    path: `projects/-home-dev/1${id(0).slice(1)}.jsonl`,
    lines: many,
  })
  const shown: string[] = []
  for (let cursor: string | null = '0'; cursor !== null;) {
    const query = `q=wombat&kind=text&limit=100&cursor=${cursor}`
    const page = await get(server, `/api/transcripts/search?${query}`)
    shown.push(...page.data.map(({ highlight }: { highlight: string }) => highlight))
    cursor = page.next_cursor as string | null
  }
  const newest = many.slice(100).map((_, line) => `<mark>wombat</mark> number ${line + 100}`)
  assert.deepEqual(shown.toSorted(), newest.toSorted())
})

test('a message that was replaced is found by its new words and not by its old ones', async () => {
  const file: Sent = { assistant: 'cline', path: 'data/sessions/s9/s9.messages.json', lines: [] }
  const document = (text: string) => [
    JSON.stringify({ messages: [{ id: 'm1', ts: 1_763_280_000_000, role: 'user', content: text }] }),
  ]
  const send = async (text: string, generation: number) => {
    const json = segment(file, document(text), 0, { generation, to: 1 })
    const { status, text: answer } = await server.call('/api/transcripts/ingest', { key: server.key, json })
    assert.equal(status, 200, answer)
  }
  const count = async (word: string) =>
    (await get(server, `/api/transcripts/search?q=${word}&kind=text`)).data.length
  await send('the albatross flies', 0)
  assert.equal(await count('albatross'), 1)
  await send('the pelican flies', 1)
  assert.deepEqual([await count('albatross'), await count('pelican')], [0, 1])
})

test('words of an erased session are in no part, and those of the others stay', async () => {
  const [gone] = (await sessions(server)).filter(({ external_id }) => external_id === id(4))
  const erased = await server.call(`/api/transcripts/${gone?.id}`, { key: server.key, method: 'DELETE' })
  assert.equal(erased.status, 204)
  const { rows } = await database.pool.query(
    'select p.no from transcripts.index_parts p, unnest(p.sessions) as session where session not in (select no from transcripts.sessions)',
  )
  assert.deepEqual(rows, [])
  assert.deepEqual(await found('q=borrow'), [])
  assert.equal((await found('q=rust')).length, 12)
})
