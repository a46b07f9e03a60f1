import { assistantIds } from '../assistants/index.ts'
import type { Db } from '../store/source-store.ts'
import { bucketOf, messagesOf } from './lists.ts'
import { allTerms, findMessages, type PartQuery } from './part-query.ts'
import * as store from './part-store.ts'
import { readEntry, secondsOf } from './part.ts'
import { sessionTerm } from './terms.ts'

/** A message that may match. */
export interface Candidate {
  sessionNo: string
  key: string
  seconds: number
}

export interface CandidateFilter {
  group: number
  assistants: readonly string[]
  /** Null: all of them. */
  sessions: readonly string[] | null
  since: Date | null
  until: Date | null
}

/** Up to this many sessions are looked up by the database; more are compared here. */
const maxLookedUp = 200
const firstBatch = 16
const maxBatch = 512

interface PartHits extends store.PartRow {
  numbers: readonly number[]
}

/**
 * The newest messages that may match. Parts are read from the newest to the oldest, so that a common word is found at
 * once; a rare one is looked for in all.
 */
export async function newestCandidates(
  db: Db,
  query: PartQuery,
  filter: CandidateFilter,
  count: number,
): Promise<Candidate[]> {
  const chosen = filter.sessions === null ? null : new Set(filter.sessions)
  const partFilter = {
    ...filter,
    assistants: filter.assistants.map((id) => assistantIds.findIndex((each) => each === id)),
    sessions: chosen !== null && chosen.size <= maxLookedUp ? [...chosen] : null,
  }
  const found = new Found(filter, count)
  let after: store.PartRow | null = null
  for (let size = firstBatch; ; size = Math.min(size * 2, maxBatch)) {
    const parts: store.PartRow[] = await store.listParts(db, partFilter, after, size)
    const hits = await hitsOf(db, query, parts, chosen)
    for (let from = 0; from < hits.length;) {
      const run = runOf(hits, from, found.missing)
      if (found.isNewerThan(run[0]?.newest ?? 0)) return found.newest()
      await addEntries(db, run, found)
      from += run.length
    }
    after = parts.at(-1) ?? null
    if (after === null || parts.length < size || found.isNewerThan(after.newest)) return found.newest()
  }
}

/** Which messages of the parts may match; parts without any are left out. */
async function hitsOf(
  db: Db,
  query: PartQuery,
  parts: readonly store.PartRow[],
  chosen: ReadonlySet<string> | null,
): Promise<PartHits[]> {
  const asked = parts.flatMap((part) => {
    const sessions = chosen === null ? [] : part.sessions.filter((no) => chosen.has(no))
    if (chosen !== null && sessions.length === 0) return []
    const isWhole = chosen === null || sessions.length === part.sessions.length
    const marks = isWhole ? query.marks : [...query.marks, sessions.map(sessionTerm)]
    return [{ part, query: { ...query, marks } }]
  })
  const wanted = asked.flatMap(({ part: { no, bits }, query: own }) =>
    [...new Set(allTerms(own).map((term) => bucketOf(term, bits)))].map((bucket) => ({
      part_no: no,
      bucket,
    })),
  )
  const rows = wanted.length === 0 ? [] : await store.readLists(db, wanted)
  const lists = new Map(rows.map(({ part_no, bucket, data }) => [`${part_no} ${bucket}`, data]))
  return asked.flatMap(({ part, query: own }) => {
    const numbers = findMessages(own, part.messages, (term) => {
      const bucket = bucketOf(term, part.bits)
      const data = lists.get(`${part.no} ${bucket}`)
      return data === undefined ? [] : messagesOf(data, bucket, part.bits, term)
    })
    return numbers.length === 0 ? [] : [{ ...part, numbers }]
  })
}

/** The next parts that together have as many messages as are missing, and at least one part. */
function runOf(hits: readonly PartHits[], from: number, missing: number): PartHits[] {
  let count = 0
  let to = from
  while (to < hits.length && (to === from || count < missing)) count += hits[to++]?.numbers.length ?? 0
  return hits.slice(from, to)
}

async function addEntries(db: Db, parts: readonly PartHits[], found: Found): Promise<void> {
  const sessions = new Map(parts.map((part) => [part.no, part.sessions]))
  const wanted = parts.flatMap(({ no, numbers }) =>
    numbers.slice(0, found.perPart).map((number) => ({ part_no: no, number })),
  )
  for (const { part_no, entry } of await store.readEntries(db, wanted)) {
    const { session, key, seconds } = readEntry(entry, 0)
    found.add({ sessionNo: sessions.get(part_no)?.[session] ?? '0', key: key.toString('hex'), seconds })
  }
}

/** Candidates, each once. */
class Found {
  readonly #all = new Map<string, Candidate>()
  readonly #since: number
  readonly #until: number
  readonly #count: number
  /** With an end of the time, the newest of a part need not be the ones that are wanted. */
  readonly perPart: number

  constructor({ since, until }: Pick<CandidateFilter, 'since' | 'until'>, count: number) {
    this.#since = since === null ? 0 : secondsOf(since.getTime())
    this.#until = until === null ? Infinity : secondsOf(until.getTime())
    this.#count = count
    this.perPart = until === null ? count : Infinity
  }

  get missing(): number {
    return this.#count - this.#all.size
  }

  add(candidate: Candidate): void {
    if (candidate.seconds < this.#since || candidate.seconds > this.#until) return
    this.#all.set(`${candidate.sessionNo} ${candidate.key}`, candidate)
  }

  newest(): Candidate[] {
    return [...this.#all.values()].toSorted((a, b) => b.seconds - a.seconds).slice(0, this.#count)
  }

  /** Whether there are enough, and all are newer than anything of this time. */
  isNewerThan(seconds: number): boolean {
    const last = this.missing > 0 ? undefined : this.newest().at(-1)
    return last !== undefined && last.seconds > seconds
  }
}
