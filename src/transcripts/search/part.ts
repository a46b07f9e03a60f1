import { bytesArray, integerArray } from '#kernel/binary-array'
import { toLists, maxMessages, pairOf } from './lists.ts'
import { eachTerm, kindTerm, roleTerm, toolTerm } from './terms.ts'

/** A message whose words are indexed. */
export interface IndexedMessage {
  /** A uuid, as 32 hex digits. */
  key: string
  /** Milliseconds. */
  at: number | null
  role: number
  kind: number
  tool: string | null
  text: string
}

/** The words of some messages, which are numbered from the newest to the oldest. */
export interface IndexPart {
  messages: number
  /** For each message the place of its session in the part's sessions, its key and its time. */
  entries: Uint8Array
  /** How many bits of a term choose its bucket. */
  bits: number
  /** Numbers and contents of the buckets, as arrays of the database: made in the thread. */
  buckets: Uint8Array
  lists: Uint8Array
  /** Seconds. */
  newest: number
  oldest: number
}

export const entryBytes = 22
/** Larger parts are fewer, smaller ones are read sooner when a word is common. */
const maxPerPart = maxMessages / 2

export interface Entry {
  session: number
  key: Buffer
  seconds: number
}

export function readEntry(entries: Uint8Array, place: number): Entry {
  const entry = Buffer.from(entries.buffer, entries.byteOffset + place * entryBytes, entryBytes)
  return { session: entry.readUInt16BE(0), key: entry.subarray(2, 18), seconds: entry.readUInt32BE(18) }
}

export function writeEntries(list: readonly Entry[]): Buffer {
  const entries = Buffer.allocUnsafe(list.length * entryBytes)
  list.forEach(({ session, key, seconds }, index) => {
    const at = index * entryBytes
    entries.writeUInt16BE(session, at)
    entries.set(key, at + 2)
    entries.writeUInt32BE(seconds, at + 18)
  })
  return entries
}

export function secondsOf(at: number | null): number {
  return Math.min(Math.max(0, Math.floor((at ?? 0) / 1_000)), 0xffffffff)
}

/** Parts of the messages of one session. */
export function indexMessages(messages: readonly IndexedMessage[]): IndexPart[] {
  const newestFirst = messages.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
  const parts: IndexPart[] = []
  for (let from = 0; from < newestFirst.length; from += maxPerPart)
    parts.push(indexPart(newestFirst.slice(from, from + maxPerPart)))
  return parts
}

function indexPart(messages: readonly IndexedMessage[]): IndexPart {
  const pairs = new PairList()
  messages.forEach(({ role, kind, tool, text }, number) => {
    pairs.add(roleTerm(role), number)
    pairs.add(kindTerm(kind), number)
    if (tool !== null) pairs.add(toolTerm(tool), number)
    eachTerm(text, (term) => pairs.add(term, number))
  })
  const entries = messages.map(({ key, at }) => ({
    session: 0,
    key: Buffer.from(key, 'hex'),
    seconds: secondsOf(at),
  }))
  return partOf(entries, pairs)
}

/** The entries are sorted from the newest to the oldest. */
export function partOf(entries: readonly Entry[], pairs: PairList): IndexPart {
  const { bits, buckets } = toLists(pairs.sorted())
  return {
    bits,
    buckets: integerArray(
      'int4',
      buckets.map(({ bucket }) => bucket),
    ),
    lists: bytesArray(buckets.map(({ data }) => data)),
    messages: entries.length,
    entries: writeEntries(entries),
    newest: entries[0]?.seconds ?? 0,
    oldest: entries.at(-1)?.seconds ?? 0,
  }
}

/** Terms with the numbers of their messages. */
export class PairList {
  #pairs = new Float64Array(16_384)
  #length = 0

  add(term: number, message: number): void {
    if (this.#length === this.#pairs.length) {
      const larger = new Float64Array(this.#length * 2)
      larger.set(this.#pairs)
      this.#pairs = larger
    }
    this.#pairs[this.#length++] = pairOf(term, message)
  }

  sorted(): Float64Array {
    return this.#pairs.subarray(0, this.#length).sort()
  }
}
