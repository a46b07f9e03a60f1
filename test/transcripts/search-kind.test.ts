import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { createTranscriptSearchKind } from '../../src/transcripts/search-kind.ts'
import { until } from '../../src/search/testing-search.ts'
import { sendFile, sessions } from './archive.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const product = await startProduct({ RUNTIME: 'builtin' })
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
const kind = createTranscriptSearchKind(database.pool)
const { pool } = database

const uuid = (digit: number): string => `${digit}`.repeat(8) + '-1111-4111-8111-111111111111'

async function send(digit: number, prompts: string[]): Promise<string> {
  const sessionId = uuid(digit)
  const lines = prompts.flatMap((content, index) => [
    JSON.stringify({
      type: 'user',
      uuid: `u${index}`,
      parentUuid: null,
      sessionId,
      timestamp: new Date(Date.UTC(2026, 10, 16, 12, index)).toISOString(),
      promptSource: 'typed',
      origin: { kind: 'human' },
      message: { role: 'user', content },
    }),
  ])
  await sendFile(product, { assistant: 'claude-code', path: `projects/-home-dev/${sessionId}.jsonl`, lines })
  const [found] = await sessions(product, `?external_id=${sessionId}`)
  return found?.id ?? ''
}

/** As if the sessions had been quiet since, all changed by one transaction. */
const age = (minutes: number) =>
  pool.query(`update transcripts.sessions set updated_at = now() - $1 * interval '1 minute'`, [minutes])

const first = await send(1, ['The cart adds the tax twice', 'Now write a test for it'])
const second = await send(2, ['Move the invoices to another table'])
const third = await send(3, ['Why is the login page slow?'])

test('a session that still changes is not handed over yet', async () => {
  assert.deepEqual((await kind.changed(null, 10)).documents, [])
})

test('sessions are handed over once in the order of their changes, however many changed at one moment', async () => {
  await age(5)
  const found: string[] = []
  let cursor: string | null = null
  for (let more = true; more;) {
    const changes = await kind.changed(cursor, 1)
    found.push(...changes.documents.map(({ id }) => id))
    ;({ cursor, more } = changes)
  }
  assert.deepEqual(found, [first, second, third])
  assert.deepEqual((await kind.changed(cursor, 1)).documents, [])
})

test('a document has the prompts and the summary, its group and where it is shown', async () => {
  const [document] = (await kind.changed(null, 1)).documents
  assert.equal(document?.title, 'The cart adds the tax twice')
  assert.match(document?.text ?? '', /^The cart adds the tax twice\n\nNow write a test for it\n\n/)
  assert.deepEqual([document?.groupId, document?.url], [product.first.groupId, `/transcripts/${first}`])
})

test('a session is found by its meaning in the running product', async () => {
  await product.call('/api/v1/search/reindex', { key: product.key, json: {} })
  await until(async () => {
    const { json } = await product.call('/api/v1/search/state', { key: product.key })
    return json.documents === 3 && json.waiting === 0
  })
  const { json } = await product.call('/api/v1/search', {
    key: product.key,
    json: { query: 'sales tax is counted two times in the shopping basket', kinds: ['transcript'] },
  })
  assert.deepEqual([json.results[0].kind, json.results[0].url], ['transcript', `/transcripts/${first}`])
})

test('what is no longer there is missing', async () => {
  await pool.query('delete from transcripts.sessions where id = $1', [second])
  const asked = [first, second].map((id) => ({ id, at: new Date() }))
  assert.deepEqual(await kind.missing(asked), [second])
})
