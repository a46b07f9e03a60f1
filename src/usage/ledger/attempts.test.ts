import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt } from '#gateway'
import { temporaryFolder } from '#test/product'
import { requestUuid } from '#kernel/uuid'
import { failedRecord, openRecord, readSettled, settleRecord } from './records.ts'
import {
  copyOfJournal,
  journalFolders,
  journalText,
  newDatabase,
  newEntry,
  newOutcome,
  startLedger,
  until,
} from './testing.ts'

const keyIds = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const
const failed: Attempt = {
  provider: 'openai',
  providerKeyId: keyIds[0],
  model: 'gpt-6-sol',
  statusCode: 503,
  errorCode: 'provider_error',
  startedAt: new Date('2026-11-15T10:00:00.000Z'),
  durationMs: 120,
  usage: null,
}
const outcome = newOutcome({ upstreamMs: 500 })
const answeredBy = { provider: 'anthropic', providerKeyId: keyIds[1], model: 'claude-sonnet-5-5' }
const answered: Attempt = { ...failed, ...answeredBy, statusCode: 200, errorCode: null, usage: outcome.usage }
const attempts = [failed, answered]
const entry = () => newEntry({ providerKeyId: keyIds[0], route: 'fast' })

/** Another process reads what this one left. */
async function readBy(place: string, database: Parameters<typeof startLedger>[0]['database']): Promise<void> {
  const heir = await startLedger({ database, dataDir: place })
  await until(() => journalFolders(place).length === 1)
  await heir.stop()
}

test('a request with two calls is one row with both, whether it is copied from memory or from the disk', async () => {
  const { database, rows, hours, setOffline } = await newDatabase()
  const dataDir = temporaryFolder()
  setOffline(true)
  const killed = await startLedger({ database, dataDir })
  const request = await killed.open(entry())
  request.failed?.([failed])
  request.settle({ ...outcome, attempts, answeredBy })
  await until(() => journalText(dataDir).includes('"endedAt"'))
  const left = copyOfJournal(dataDir)
  setOffline(false)
  await readBy(left, database)
  const fromDisk = await rows()
  assert.equal(fromDisk.length, 1)
  await killed.caughtUp()
  assert.deepEqual(await rows(), fromDisk, 'the same row from memory changes nothing')
  const [row = {}] = fromDisk
  assert.deepEqual(
    [
      row['route'],
      row['provider'],
      row['provider_key_id'],
      row['model'],
      row['attempt_count'],
      row['upstream_ms'],
    ],
    ['fast', 'anthropic', keyIds[1], 'claude-sonnet-5-5', 2, 500],
  )
  assert.deepEqual(
    (row['attempts'] as Record<string, unknown>[]).map((each) => [each['model'], each['started_at']]),
    [
      ['gpt-6-sol', '2026-11-15T10:00:00.000Z'],
      ['claude-sonnet-5-5', '2026-11-15T10:00:00.000Z'],
    ],
  )
  assert.deepEqual(
    (await hours()).map((hour) => [hour['provider'], hour['model'], hour['requests']]),
    [['anthropic', 'claude-sonnet-5-5', '1']],
    'it counts once, for the model that answered',
  )
})

test('a process that is killed in the second call leaves the first one in the log', async () => {
  const { database, rows, hours, setOffline } = await newDatabase()
  const dataDir = temporaryFolder()
  setOffline(true)
  const killed = await startLedger({ database, dataDir })
  const opened = entry()
  const request = await killed.open(opened)
  request.failed?.([failed])
  // Whatever is written next is written after it.
  await killed.open(newEntry())
  const left = [copyOfJournal(dataDir), copyOfJournal(dataDir)]
  setOffline(false)
  for (const place of left) await readBy(place, database)
  const found = await rows()
  assert.equal(found.length, 2, 'each request has one row, however often the journal is read')
  const row = found.find((each) => each['id'] === requestUuid(opened.requestId)) ?? {}
  assert.deepEqual(
    [row['status_code'], row['error_message'], row['route'], row['attempt_count']],
    [500, 'interrupted', 'fast', 1],
  )
  assert.deepEqual([row['input_cost'], row['usage_source']], [null, 'none'], 'nobody knows what it cost')
  assert.deepEqual(
    (row['attempts'] as Record<string, unknown>[]).map((each) => [each['model'], each['status_code']]),
    [['gpt-6-sol', 503]],
  )
  assert.equal(
    (await hours()).reduce((sum, hour) => sum + Number(hour['requests']), 0),
    2,
  )
})

test('records of the release before are read, and it reads in ours which provider answered', () => {
  const opened = entry()
  const id = opened.requestId.slice(4)
  const before = {
    ...(JSON.parse(openRecord(newEntry())) as object),
    endedAt: 1_800_000_000_000,
    statusCode: 200,
    errorMessage: null,
    ttftMs: null,
    usage: null,
  }
  const read = readSettled(id, Buffer.from(JSON.stringify(before)))
  assert.deepEqual(
    [read.entry.route, read.outcome.attempts, read.outcome.upstreamMs],
    [undefined, undefined, undefined],
  )
  const ours = settleRecord(openRecord(opened), { ...outcome, attempts, answeredBy })
  const { provider, providerKeyId, model } = JSON.parse(ours) as Record<string, unknown>
  assert.deepEqual({ provider, providerKeyId, model }, answeredBy)
  assert.deepEqual(readSettled(id, Buffer.from(ours)).outcome.attempts, attempts)
})

test('the name of a model in a trail is cut before it reaches the journal', () => {
  const long = { ...failed, model: 'x'.repeat(1_000_000) }
  const record = settleRecord(openRecord(entry()), { ...outcome, attempts: [long, answered] })
  assert.ok(record.length < 10_000)
  assert.ok(failedRecord(openRecord(entry()), [long]).length < 10_000)
  const { outcome: read } = readSettled(requestUuid(entry().requestId), Buffer.from(record))
  assert.deepEqual(
    read.attempts?.map(({ model }) => model),
    ['x'.repeat(300), answered.model],
  )
})
