import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Fault } from '#kernel/errors'
import { requestUuid } from '#kernel/uuid'
import { temporaryFolder } from '#test/product'
import {
  journalFolders,
  copyOfJournal,
  newDatabase,
  newEntry,
  newOutcome,
  startLedger,
  until,
  type TestLedger,
} from './testing.ts'

/** Enters a request, and lets it end. */
async function settle(ledger: TestLedger, entry = newEntry(), outcome = newOutcome()): Promise<void> {
  const request = await ledger.open(entry)
  request.settle(outcome)
}

function serve(ledger: TestLedger, count: number): Promise<string[]> {
  const each = Array.from({ length: count }, async () => {
    const entry = newEntry()
    await settle(ledger, entry)
    return requestUuid(entry.requestId)
  })
  return Promise.all(each)
}

const idsOf = (rows: Record<string, unknown>[]): string[] => rows.map((row) => String(row['id']))

test('a settled request is a row and a part of its hour, and a reader sees it at once', async () => {
  const { database, rows, hours } = await newDatabase()
  const ledger = await startLedger({ database, dataDir: temporaryFolder() })
  const at = Date.UTC(2026, 10, 15, 9, 59, 59, 999)
  const first = newEntry({ userLabel: 'ann', metadata: { team: 'a' } }, at)
  await settle(ledger, first, newOutcome({ endedAt: new Date(at + 1_500), ttftMs: 300 }))
  const second = newEntry({}, at - 1_000)
  const failed = { endedAt: new Date(at), statusCode: 502, errorMessage: 'gone', usage: null }
  await settle(ledger, second, newOutcome(failed))
  await ledger.caughtUp()
  const [older, newer] = await rows()
  assert.deepEqual(
    [older?.['id'], older?.['status_code'], older?.['error_message'], older?.['usage_source']],
    [requestUuid(second.requestId), 502, 'gone', 'none'],
  )
  assert.equal(newer?.['id'], requestUuid(first.requestId))
  assert.deepEqual(newer['started_at'], new Date(at))
  assert.deepEqual([newer['duration_ms'], newer['ttft_ms'], newer['prompt_tokens']], [1_500, 300, '10'])
  assert.deepEqual([newer['user_label'], newer['metadata']], ['ann', { team: 'a' }])
  assert.deepEqual(
    (await hours()).map((hour) => [
      hour['hour'],
      hour['is_error'],
      hour['requests'],
      hour['unpriced_requests'],
      hour['prompt_tokens'],
      hour['duration_ms'],
      hour['input_cost'],
    ]),
    [
      [new Date(Date.UTC(2026, 10, 15, 9)), false, '1', '1', '10', '1500', null],
      // What failed and used nothing costs nothing, whether there is a price or not.
      [new Date(Date.UTC(2026, 10, 15, 9)), true, '1', '0', '0', '1000', '0'],
    ],
  )
})

test('what a killed process left is copied once, however often it is read; what was open is interrupted', async () => {
  const { database, rows, hours, setOffline } = await newDatabase()
  const dataDir = temporaryFolder()
  setOffline(true)
  const killed = await startLedger({ database, dataDir })
  const settled = await serve(killed, 20)
  const open = newEntry({
    model: 'left\0open\ud800',
    metadata: { bad: '\0\udfff', fine: 'ü' },
    sessionKey: 'main',
    subagentKey: 'helper',
  })
  await killed.open(open)
  const [left, leftAgain] = [copyOfJournal(dataDir), copyOfJournal(dataDir)]
  setOffline(false)
  for (const place of [left, leftAgain]) {
    const heir = await startLedger({ database, dataDir: place })
    await until(() => journalFolders(place).length === 1)
    await heir.stop()
    assert.deepEqual(readdirSync(join(place, 'journal')), [])
  }
  const found = await rows()
  assert.deepEqual(idsOf(found).toSorted(), [...settled, requestUuid(open.requestId)].toSorted())
  const interrupted = found.find((row) => row['id'] === requestUuid(open.requestId))
  assert.deepEqual(
    [interrupted?.['status_code'], interrupted?.['error_message'], interrupted?.['usage_source']],
    [500, 'interrupted', 'none'],
  )
  assert.deepEqual(
    [interrupted?.['input_cost'], interrupted?.['model'], interrupted?.['metadata']],
    [null, 'left\ufffdopen\ufffd', { bad: '\ufffd\ufffd', fine: 'ü' }],
  )
  assert.deepEqual([interrupted?.['session_key'], interrupted?.['subagent_key']], ['main', 'helper'])
  assert.equal(
    (await hours()).reduce((sum, hour) => sum + Number(hour['requests']), 0),
    21,
  )
})

test('ledgers that share a folder leave each other alone and share the sums', async () => {
  const { database, rows, hours } = await newDatabase()
  const dataDir = temporaryFolder()
  const [one, two] = [await startLedger({ database, dataDir }), await startLedger({ database, dataDir })]
  const open = await one.open(newEntry())
  const both = Array.from({ length: 10 }, () => [serve(one, 30), serve(two, 30)])
  const ids = (await Promise.all(both.flat())).flat()
  await Promise.all([one.caughtUp(), two.caughtUp()])
  assert.deepEqual(idsOf(await rows()).toSorted(), ids.toSorted())
  assert.equal(
    (await hours()).reduce((sum, hour) => sum + Number(hour['requests']), 0),
    600,
  )
  open.settle(newOutcome())
  await one.stop()
  assert.equal((await rows()).length, 601)
  assert.equal(journalFolders(dataDir).length, 1)
})

test('while the database is unavailable requests are served, and nothing is lost', async () => {
  const { database, rows, setOffline } = await newDatabase()
  setOffline(true)
  const dataDir = temporaryFolder()
  const ledger = await startLedger({ database, dataDir })
  const ids = await serve(ledger, 300)
  await ledger.caughtUp()
  assert.match(await ledger.metrics(), /signalbox_usage_journal_waiting_bytes [1-9]/)
  setOffline(false)
  ids.push(...(await serve(ledger, 10)))
  await until(async () => (await rows()).length === 310)
  assert.deepEqual(idsOf(await rows()).toSorted(), ids.toSorted())
  await ledger.caughtUp()
  assert.match(await ledger.metrics(), /signalbox_usage_journal_waiting_bytes 0/)
  assert.match(await ledger.metrics(), /signalbox_usage_rows_copied_total 310/)
})

test('a stop copies all that is settled; without a database it waits on the disk for the next start', async () => {
  const { database, rows, setOffline } = await newDatabase()
  const dataDir = temporaryFolder()
  const first = await startLedger({ database, dataDir })
  await serve(first, 5)
  await first.stop()
  assert.equal((await rows()).length, 5)
  assert.deepEqual(journalFolders(dataDir), [])
  const second = await startLedger({ database, dataDir })
  setOffline(true)
  await serve(second, 5)
  await second.stop()
  assert.equal(journalFolders(dataDir).length, 1)
  setOffline(false)
  const third = await startLedger({ database, dataDir })
  await until(async () => (await rows()).length === 10)
  await third.stop()
  assert.deepEqual(journalFolders(dataDir), [])
})

test('text that PostgreSQL does not take, and names of any length, become rows all the same', async () => {
  const { database, rows } = await newDatabase()
  const dataDir = temporaryFolder()
  const ledger = await startLedger({ database, dataDir })
  const metadata = { nul: 'a\0b', half: '\ud83d', '\0': '\udc00', long: 'ß'.repeat(8_000) }
  const entry = newEntry({ userLabel: 'x\0\ud800', model: 'm'.repeat(1_000_000), metadata })
  await settle(ledger, entry, newOutcome({ statusCode: 404, errorMessage: 'no \0 such \udfff' }))
  await ledger.caughtUp()
  const [row] = await rows()
  assert.deepEqual(
    [row?.['user_label'], row?.['error_message'], row?.['model']],
    ['x\ufffd\ufffd', 'no \ufffd such \ufffd', 'm'.repeat(300)],
  )
  assert.deepEqual(row?.['metadata'], {
    nul: 'a\ufffdb',
    half: '\ufffd',
    '\ufffd': '\ufffd',
    long: 'ß'.repeat(8_000),
  })
  assert.ok(!existsSync(join(dataDir, 'journal/rejected.ndjson')))
})

test('a row that the database refuses is set aside with the reason and holds up no other', async () => {
  const { database, rows } = await newDatabase()
  const dataDir = temporaryFolder()
  const ledger = await startLedger({ database, dataDir })
  const ids = await serve(ledger, 10)
  const bad = newEntry({ groupId: 'no uuid' })
  await settle(ledger, bad)
  ids.push(...(await serve(ledger, 10)))
  await ledger.caughtUp()
  assert.deepEqual(idsOf(await rows()).toSorted(), ids.toSorted())
  const [line = '', ...more] = readFileSync(join(dataDir, 'journal/rejected.ndjson'), 'utf8')
    .trim()
    .split('\n')
  const rejected = JSON.parse(line) as { reason: string; row: { id: string } }
  assert.match(rejected.reason, /uuid/)
  assert.equal(`req_${rejected.row.id}`, bad.requestId)
  assert.deepEqual(more, [])
  assert.match(await ledger.metrics(), /signalbox_usage_rows_rejected_total 1/)
})

const isRefusal = (error: unknown): boolean =>
  error instanceof Fault &&
  error.status === 503 &&
  error.code === 'unavailable' &&
  /not served/.test(error.message)

test('a journal at its ceiling refuses requests until the database has taken it', async () => {
  const { database, setOffline } = await newDatabase()
  setOffline(true)
  const environment = { JOURNAL_MAX_BYTES: '1048576' }
  const ledger = await startLedger({ database, dataDir: temporaryFolder(), environment })
  const metadata = { long: 'x'.repeat(10_000) }
  const running = await ledger.open(newEntry())
  const fill = async (): Promise<void> => {
    for (let n = 0; n < 200; n++) await settle(ledger, newEntry({ metadata }))
  }
  await assert.rejects(fill, isRefusal)
  running.settle(newOutcome())
  setOffline(false)
  await until(() =>
    settle(ledger).then(
      () => true,
      () => false,
    ),
  )
})

test('a full disk refuses requests, or serves them where it is configured to', async () => {
  const { database, rows } = await newDatabase()
  const disk = { statfs: async () => ({ bavail: 100, bsize: 4096 }) }
  const strict = await startLedger({ database, dataDir: temporaryFolder(), disk })
  await assert.rejects(strict.open(newEntry()), isRefusal)
  assert.deepEqual([strict.isWritable(), strict.accepts()], [false, false])
  const environment = { JOURNAL_FULL: 'serve' }
  const easy = await startLedger({ database, dataDir: temporaryFolder(), disk, environment })
  const ids = await serve(easy, 3)
  assert.deepEqual([easy.isWritable(), easy.accepts()], [false, true])
  await easy.caughtUp()
  assert.deepEqual(idsOf(await rows()), ids.toSorted())
  assert.match(await easy.metrics(), /signalbox_usage_requests_unmetered_total 3/)
})

test('a disk that fails refuses new requests; those that run reach the database from memory', async () => {
  const { database, rows } = await newDatabase()
  let isBroken = false
  const write = ((...given: Parameters<typeof writeSync>): number => {
    if (isBroken) throw Object.assign(new Error('input/output error'), { code: 'EIO' })
    return writeSync(...given)
  }) as typeof writeSync
  const dataDir = temporaryFolder()
  const ledger = await startLedger({ database, dataDir, disk: { write } })
  const [first, second] = [newEntry(), newEntry()]
  const running = [await ledger.open(first), await ledger.open(second)]
  isBroken = true
  await assert.rejects(ledger.open(newEntry()), isRefusal)
  assert.equal(ledger.isWritable(), false)
  running[0]?.settle(newOutcome())
  await until(async () => (await rows()).length === 1)
  isBroken = false
  assert.equal(ledger.isWritable(), true, 'known before another request comes')
  running[1]?.settle(newOutcome())
  await settle(ledger)
  await ledger.stop()
  assert.equal((await rows()).length, 3)
  assert.deepEqual(journalFolders(dataDir), [], 'none of them is open any more')
})

test('while tokens are counted the request stays open; a counter that fails costs the count only', async () => {
  const { database, rows } = await newDatabase()
  const counts = [Promise.resolve({ prompt: 7, completion: 3 }), Promise.reject(new Error('no tokenizer'))]
  counts[1]?.catch(() => undefined)
  const count = () => counts.shift() ?? Promise.reject(new Error('asked too often'))
  const estimator = { count, stop: async () => undefined }
  const ledger = await startLedger({ database, dataDir: temporaryFolder(), estimator })
  const cut = { usage: null, statusCode: 499, estimateFrom: { prompt: 'p', delivered: 'd' } }
  const entries = [newEntry({}, Date.now() - 5), newEntry()]
  for (const entry of entries) await settle(ledger, entry, newOutcome(cut))
  await ledger.caughtUp()
  assert.deepEqual(
    (await rows()).map((row) => [row['usage_source'], row['prompt_tokens'], row['completion_tokens']]),
    [
      ['estimated', '7', '3'],
      ['none', '0', '0'],
    ],
  )
})

test('the texts of a request that was cut off are freed once they are counted, however long its row waits', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const { database, rows, setOffline } = await newDatabase()
  setOffline(true)
  const ledger = await startLedger({ database, dataDir: temporaryFolder() })
  const cutOff = async (): Promise<WeakRef<object>> => {
    const estimateFrom = { prompt: 'a long prompt', delivered: 'half an ans' }
    await settle(ledger, newEntry(), newOutcome({ usage: null, estimateFrom }))
    return new WeakRef(estimateFrom)
  }
  const texts = await Promise.all(Array.from({ length: 20 }, cutOff))
  await until(() => {
    collectGarbage()
    return texts.every((text) => text.deref() === undefined)
  })
  setOffline(false)
  await ledger.stop()
  assert.equal((await rows()).length, 20)
})
