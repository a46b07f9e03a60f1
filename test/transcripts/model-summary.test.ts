import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ModelCall, ModelCaller } from '#gateway'
import { openDatabase } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { createModelSummaries } from '../../src/transcripts/summary/by-model.ts'
import { get, sendFile, sessions } from './archive.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const product = await startProduct()
const log = await createLog({ level: 'silent', form: 'json' })
const database = openDatabase(product.target, log)
close = () => database.close()
const { pool } = database

/** A model whose responses the tests choose. */
const asked: ModelCall[] = []
let respond = async (): Promise<string> => 'The tax was counted twice; it is counted once now.'
const models: Pick<ModelCaller, 'complete'> = {
  async complete(call) {
    asked.push(call)
    const text = await respond()
    const said = { requestId: 'req_1', text, refusal: null, finishReason: 'stop' }
    return { ...said, message: {}, toolCalls: [], sources: [] }
  },
}
const summarize = createModelSummaries({ db: pool, models, model: 'small', log })

const key = '55555555-5555-4555-8555-555555555555'
const path = `projects/-home-dev/${key}.jsonl`
let sent: string[] = []

/** Adds prompts to the session, one a minute, the newest this many minutes ago. */
async function grow(count: number, minutesAgo: number): Promise<void> {
  const first = sent.length
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      type: 'user',
      uuid: `u${first + index}`,
      parentUuid: null,
      sessionId: key,
      timestamp: new Date(Date.now() - (minutesAgo + count - 1 - index) * 60_000).toISOString(),
      promptSource: 'typed',
      origin: { kind: 'human' },
      message: { role: 'user', content: `Prompt number ${first + index}` },
    }),
  )
  const before = sent
  sent = [...before, ...lines]
  const from = before.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  await sendFile(product, { assistant: 'claude-code', path, lines }, [], {
    from,
    to: sent.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0),
  })
}

async function summary(): Promise<string | null> {
  return (await sessions(product, `?external_id=${key}`))[0]?.summary ?? null
}

test('a session that is still in use is not summarized', async () => {
  await grow(9, 9)
  await summarize()
  assert.deepEqual(asked, [])
  assert.match((await summary()) ?? '', /^Asked: Prompt number 0/)
})

test('where the model fails, the summary of the session itself stays, and the session is not tried again at once', async () => {
  await pool.query(`update transcripts.sessions set ended_at = now() - interval '11 minutes'`)
  respond = async () => {
    throw new Fault(faults.provider, 'overloaded')
  }
  await summarize()
  await summarize()
  assert.equal(asked.length, 1)
  assert.match((await summary()) ?? '', /^Asked: Prompt number 0/)
})

test('three failures are enough until the session has grown', async () => {
  for (let hour = 0; hour < 4; hour++) {
    await pool.query(`update transcripts.model_summaries set asked_at = asked_at - interval '61 minutes'`)
    await summarize()
  }
  assert.equal(asked.length, 3)
})

test('a gateway that is not there is no failure of the session', async () => {
  await pool.query('delete from transcripts.model_summaries')
  respond = async () => {
    throw new Fault(faults.unavailable, 'not here')
  }
  await summarize()
  assert.equal((await pool.query('select from transcripts.model_summaries')).rowCount, 0)
})

test('after ten idle minutes the model summarizes the session, for its group and under its purpose', async () => {
  respond = async () => ' The tax was counted twice.\0 '
  asked.length = 0
  await summarize()
  assert.equal(await summary(), 'The tax was counted twice.')
  const [call] = asked
  assert.deepEqual(
    [call?.groupId, call?.purpose, call?.request.model, call?.session],
    [product.first.groupId, 'transcript-summary', 'small', undefined],
  )
  assert.match(JSON.stringify(call?.request.messages), /Prompt number 0.*Prompt number 8/)
  await summarize()
  assert.equal(asked.length, 1, 'once')
})

test('lines that arrive later do not replace the summary; more than a fifth of them ask the model again', async () => {
  await grow(1, 1)
  assert.equal(await summary(), 'The tax was counted twice.')
  await pool.query(`update transcripts.sessions set ended_at = now() - interval '11 minutes'`)
  await summarize()
  assert.equal(asked.length, 1, '9 messages and 1 more')
  await grow(1, 1)
  await pool.query(`update transcripts.sessions set ended_at = now() - interval '11 minutes'`)
  respond = async () => 'Tax, and a test for it.'
  await summarize()
  assert.deepEqual([asked.length, await summary()], [2, 'Tax, and a test for it.'])
})

test('a session that ended more than a week ago is left as it is', async () => {
  await pool.query('delete from transcripts.model_summaries')
  await pool.query(`update transcripts.sessions set ended_at = now() - interval '8 days'`)
  await summarize()
  assert.equal(asked.length, 2)
})

test('an endless summary is cut', async () => {
  await pool.query(`update transcripts.sessions set ended_at = now() - interval '1 day'`)
  respond = async () => 'a'.repeat(100_000)
  await summarize()
  const [found] = await sessions(product, `?external_id=${key}`)
  const { session } = await get(product, `/api/transcripts/${found?.id}`)
  assert.equal(session.summary.length, 2_000)
})
