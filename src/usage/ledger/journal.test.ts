import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/product'
import { FrameBuffer, nextFrameAfter, readFrame, recordTypes, type RecordType } from './frame.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { OrphanJournal } from './orphan-journal.ts'
import type { EndedRow } from './source.ts'
import { newEntry, newOutcome, silent } from './testing.ts'

const ids = Array.from({ length: 100 }, (_, n) => `01a1df07c5df7e718055${String(n).padStart(12, '0')}`)
const id = (n: number): string => ids[n] ?? ''
const json = (n: number): string => JSON.stringify({ n, text: 'Grüße 🚂 \u0000' })

function newJournal(more: Partial<JournalOptions> = {}): Journal {
  const folder = join(temporaryFolder(), 'journal')
  const journal = new Journal({ folder, fsync: 'group', log: silent, onUnwritten: () => undefined, ...more })
  journal.start()
  return journal
}

/** A row that its text identifies, wherever it comes from. */
function ended(n: number, text = json(n)): EndedRow {
  return { id: id(n), json: () => text, record: { entry: newEntry({ model: text }), outcome: newOutcome() } }
}

function open(journal: Journal, n: number, text = json(n)): void {
  void journal.open(id(n), text)
  journal.flush()
}

function settle(journal: Journal, n: number, text = json(n)): void {
  journal.settle(ended(n, text))
  journal.flush()
}

function encodeFrame(type: RecordType, of: string, text: string): Buffer {
  const frames = new FrameBuffer()
  frames.add(type, of, text)
  return Buffer.from(frames.bytes)
}

function left(folder: string): OrphanJournal {
  return new OrphanJournal({
    folder,
    log: silent,
    interrupted: (opened) => `interrupted ${opened}`,
  })
}

async function allOf(source: Pick<Journal, 'take'>): Promise<string[]> {
  const texts: string[] = []
  for (let batch = await source.take(); batch; batch = await source.take()) {
    texts.push(
      ...batch.rows.map(({ record }) => (Buffer.isBuffer(record) ? record.toString() : record.entry.model)),
    )
    await batch.done()
  }
  return texts
}

const segments = (folder: string): string[] => fs.readdirSync(folder).toSorted()
const firstSegment = (journal: Journal): string => join(journal.folder, '00000000.log')

test('a record comes back as it was written', () => {
  const bytes = encodeFrame(recordTypes.settle, id(7), json(7))
  const frame = readFrame(bytes, 0)
  assert.ok(typeof frame === 'object')
  assert.deepEqual(
    [frame.type, frame.id, frame.payload.toString(), frame.end],
    [recordTypes.settle, id(7), json(7), bytes.length],
  )
})

test('no change of a single byte, and no cut, goes unnoticed', () => {
  const bytes = encodeFrame(recordTypes.open, id(1), json(1))
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 0x20
    assert.equal(typeof readFrame(changed, 0), 'string', `byte ${at}`)
    assert.equal(readFrame(bytes.subarray(0, at), 0), 'short', `cut at ${at}`)
  }
})

test('a whole record is found again after damage, and text is never taken for one', () => {
  const inner = encodeFrame(recordTypes.settle, id(1), '{}').toString('latin1')
  const first = encodeFrame(recordTypes.settle, id(2), JSON.stringify({ inner }))
  const second = encodeFrame(recordTypes.settle, id(3), '{}')
  first[4] = (first[4] ?? 0) ^ 1
  assert.equal(nextFrameAfter(Buffer.concat([first, second]), 0), first.length)
  assert.equal(nextFrameAfter(first, 0), undefined)
})

test('what was settled is taken in order, once it is done never again, and the folder goes', async () => {
  const journal = newJournal()
  for (let n = 0; n < 5; n++) {
    open(journal, n)
    settle(journal, n)
  }
  const batch = await journal.take()
  assert.deepEqual(
    (await journal.take())?.rows.map((row) => row.id),
    batch?.rows.map((row) => row.id),
    'the same again until it is done',
  )
  assert.deepEqual(await allOf(journal), [0, 1, 2, 3, 4].map(json))
  assert.equal(await journal.take(), undefined)
  await journal.stop()
  assert.ok(!fs.existsSync(journal.folder))
})

test('segments and folders are for their owner only', async () => {
  const journal = newJournal()
  assert.equal(fs.statSync(journal.folder).mode & 0o777, 0o700)
  assert.equal(fs.statSync(firstSegment(journal)).mode & 0o777, 0o600)
  await journal.stop()
})

test('a segment goes when all of it is copied; a request that still runs is carried on', async () => {
  const journal = newJournal({ segmentBytes: 500 })
  open(journal, 99)
  for (let n = 0; n < 20; n++) {
    open(journal, n)
    settle(journal, n)
  }
  assert.ok(segments(journal.folder).length > 3)
  await allOf(journal)
  assert.ok(segments(journal.folder).length <= 2)
  assert.equal((await allOf(left(journal.folder))).at(-1), `interrupted ${json(99)}`)
  settle(journal, 99)
  assert.deepEqual(await allOf(journal), [json(99)])
  await journal.stop()
  assert.ok(!fs.existsSync(journal.folder))
})

test('what is left when it stops stays on the disk', async () => {
  const journal = newJournal()
  open(journal, 1)
  settle(journal, 1)
  open(journal, 2)
  await journal.stop()
  assert.deepEqual(await allOf(left(journal.folder)), [json(1), `interrupted ${json(2)}`])
})

test('a torn last record is skipped, wherever it was cut', async () => {
  const journal = newJournal()
  settle(journal, 1)
  const whole = fs.statSync(firstSegment(journal)).size
  settle(journal, 2)
  const bytes = fs.readFileSync(firstSegment(journal))
  for (let cut = whole + 1; cut < bytes.length; cut += 7) {
    fs.writeFileSync(firstSegment(journal), bytes.subarray(0, cut))
    assert.deepEqual(await allOf(left(journal.folder)), [json(1)])
  }
  // After a power cut the file may have its length already, but not its content.
  fs.writeFileSync(firstSegment(journal), Buffer.concat([bytes.subarray(0, whole), Buffer.alloc(4096)]))
  const folder = left(journal.folder)
  assert.deepEqual(await allOf(folder), [json(1)])
  await folder.remove()
  assert.deepEqual(fs.readdirSync(join(journal.folder, '..')), [])
})

test('damage in the middle costs only what is damaged, and the file is set aside', async () => {
  const journal = newJournal()
  for (let n = 0; n < 4; n++) {
    open(journal, n, `{"open":${n}}`)
    settle(journal, n)
  }
  const bytes = fs.readFileSync(firstSegment(journal))
  bytes[bytes.indexOf('"n":2') + 4] = 0x39
  fs.writeFileSync(firstSegment(journal), bytes)
  const folder = left(journal.folder)
  assert.deepEqual(await allOf(folder), [json(0), json(1), json(3), 'interrupted {"open":2}'])
  await folder.remove()
  const aside = fs.readdirSync(join(journal.folder, '..'))
  assert.deepEqual(aside, ['journal-00000000.log.damaged'])
})

test('a record that a full disk wrote only in part is removed, and the next one follows a complete one', async () => {
  let room = Infinity
  const write = ((file: number, bytes: Buffer, offset: number, length: number): number => {
    if (room <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const taken = Math.min(length, room)
    room -= taken
    return fs.writeSync(file, bytes, offset, taken)
  }) as typeof fs.writeSync
  const unwritten: string[] = []
  const journal = newJournal({ write, onUnwritten: (row) => unwritten.push(row.id) })
  settle(journal, 1)
  room = 30
  settle(journal, 2)
  assert.deepEqual(unwritten, [id(2)], 'it is given back')
  room = 30
  journal.settle(ended(4))
  await assert.rejects(journal.open(id(5), json(5)), /no space left/)
  assert.deepEqual(unwritten, [id(2), id(4)], 'what was to go with it as well')
  room = Infinity
  settle(journal, 3)
  assert.deepEqual(
    fs.readFileSync(firstSegment(journal)),
    Buffer.concat([1, 3].map((n) => encodeFrame(recordTypes.settle, id(n), json(n)))),
    'the segment has complete records only',
  )
  assert.deepEqual(await allOf(left(journal.folder)), [json(1), json(3)])
  assert.deepEqual(await allOf(journal), [json(1), json(3)])
  await journal.stop()
})

test('a record longer than a piece that is read at once comes through', async () => {
  const journal = newJournal({ fsync: 'always' })
  const long = JSON.stringify('x'.repeat(3_000_000))
  settle(journal, 1)
  settle(journal, 2, long)
  settle(journal, 3)
  assert.deepEqual(await allOf(journal), [json(1), long, json(3)])
  assert.throws(() => journal.settleNow(ended(4, 'x'.repeat(17_000_000))), RangeError)
  await journal.stop()
})

test('all that begins and ends in one turn is one write, and no request continues before it', async () => {
  let writes = 0
  const write = ((...given: Parameters<typeof fs.writeSync>) => {
    writes++
    return fs.writeSync(...given)
  }) as typeof fs.writeSync
  const journal = newJournal({ write })
  const opened = [1, 2].map(async (n) => {
    await journal.open(id(n), json(n))
    return writes
  })
  assert.equal(writes, 0)
  assert.deepEqual(await Promise.all(opened), [1, 1])
  journal.settle(ended(1))
  const third = journal.open(id(3), json(3))
  journal.settle(ended(3))
  assert.equal(writes, 1)
  await third
  assert.equal(writes, 2)
  assert.deepEqual(await allOf(left(journal.folder)), [json(1), json(3), `interrupted ${json(2)}`])
  settle(journal, 2)
  assert.deepEqual(await allOf(journal), [json(1), json(3), json(2)])
  await journal.stop()
  assert.ok(!fs.existsSync(journal.folder), 'none is open any more')
})

test('rows come from memory while they are few, and all of them from the disk when they were too many', async () => {
  const journal = newJournal({ segmentBytes: 1_000_000 })
  settle(journal, 0)
  assert.ok(!((await journal.take())?.rows[0]?.record instanceof Buffer))
  assert.deepEqual(await allOf(journal), [json(0)])
  const long = (n: number): string => JSON.stringify(`${n}`.repeat(60_000))
  for (let n = 0; n < 80; n++) settle(journal, n, long(n))
  assert.ok((await journal.take())?.rows[0]?.record instanceof Buffer)
  assert.deepEqual(
    await allOf(journal),
    Array.from({ length: 80 }, (_, n) => long(n)),
  )
  settle(journal, 1)
  assert.ok(!((await journal.take())?.rows[0]?.record instanceof Buffer), 'caught up with')
  assert.deepEqual(await allOf(journal), [json(1)])
  await journal.stop()
})

test('many rows of several segments are taken in order, each once', async () => {
  const journal = newJournal({ segmentBytes: 60_000 })
  const texts: string[] = []
  for (let n = 0; n < 2_500; n++) {
    void journal.open(id(n % 100), json(n % 100))
    texts.push(JSON.stringify({ row: n }))
    journal.settle(ended(n % 100, texts.at(-1)))
    if (n % 7 === 0) journal.flush()
  }
  assert.deepEqual(await allOf(journal), texts)
  await journal.stop()
  assert.ok(!fs.existsSync(journal.folder))
})

test('a record that is too long is refused alone: those of the same turn are written', async () => {
  const tooLong = 'x'.repeat(17 * 1024 * 1024)
  const unwritten: string[] = []
  const journal = newJournal({ onUnwritten: (row) => unwritten.push(row.id) })
  const opened = [json(0), tooLong, json(2)].map((text, n) => journal.open(id(n), text))
  journal.settle(ended(0))
  journal.settle(ended(1, tooLong))
  journal.settle(ended(2))
  journal.flush()
  assert.deepEqual(
    (await Promise.allSettled(opened)).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(unwritten, [id(1)])
  assert.deepEqual(await allOf(journal), [json(0), json(2)])
  assert.throws(() => journal.settleNow(ended(3, tooLong)), /too long/, 'it is not tried for ever')
  await journal.stop()
})
