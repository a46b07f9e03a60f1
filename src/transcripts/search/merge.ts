import { eachList } from './lists.ts'
import { PairList, partOf, readEntry, type Entry, type IndexPart } from './part.ts'
import { sessionTerm } from './terms.ts'

/** A part as it is stored. */
export interface StoredPart {
  /** The numbers of the sessions, in the order of their places in the entries. */
  sessions: readonly string[]
  bits: number
  messages: number
  entries: Uint8Array
  buckets: readonly { bucket: number; data: Uint8Array }[]
}

export interface MergedPart {
  sessions: string[]
  part: IndexPart
}

interface Numbered extends Entry {
  /** Where the message was. */
  from: { part: number; number: number }
}

/** One part in the place of several, without the messages of some sessions. Null: nothing is left. */
export function mergeParts(parts: readonly StoredPart[], dropped: ReadonlySet<string>): MergedPart | null {
  const sessions = [...new Set(parts.flatMap((part) => part.sessions))].filter((no) => !dropped.has(no))
  const places = new Map(sessions.map((no, place) => [no, place]))
  const kept = parts
    .flatMap((part, index) => entriesOf(part, index, places))
    .toSorted((a, b) => b.seconds - a.seconds)
  if (kept.length === 0) return null
  const numbers = parts.map(({ messages }) => new Int32Array(messages).fill(-1))
  const pairs = new PairList()
  const marks = sessions.map(sessionTerm)
  kept.forEach(({ from, session }, number) => {
    const of = numbers[from.part]
    if (of !== undefined) of[from.number] = number
    pairs.add(marks[session] ?? 0, number)
  })
  parts.forEach(({ buckets, bits }, index) => {
    for (const { bucket, data } of buckets)
      eachList(data, bucket, bits, (term, messages) => {
        for (const message of messages) {
          const number = numbers[index]?.[message] ?? -1
          if (number >= 0) pairs.add(term, number)
        }
      })
  })
  return { sessions, part: partOf(kept, pairs) }
}

function entriesOf(part: StoredPart, index: number, places: ReadonlyMap<string, number>): Numbered[] {
  return Array.from({ length: part.messages }, (_, number) => ({
    ...readEntry(part.entries, number),
    from: { part: index, number },
  })).flatMap((entry) => {
    const session = places.get(part.sessions[entry.session] ?? '')
    return session === undefined ? [] : [{ ...entry, session }]
  })
}
