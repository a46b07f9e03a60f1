import { assistantIds } from '../assistants/index.ts'
import * as store from '../store/index-store.ts'
import type { Db } from '../store/source-store.ts'
import {
  allTerms,
  bucketOf,
  findMessages,
  messagesOf,
  readEntry,
  secondsOf,
  sessionTerm,
  type PartQuery,
} from '../word-index/index.ts'

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
/** After this many parts a full page is enough: the words are common, and rarely together. */
const patience = 256

interface PartHits extends store.PartRow {
  numbers: readonly number[]
}

/**
 * The newest messages that may match, as many as wanted, and at least as many as needed where there are enough. Parts
 * are read from the newest to the oldest, so that a common word is found at once; a rare one is looked for in all.
 */
export async function newestCandidates(
  db: Db,
  query: PartQuery,
  filter: CandidateFilter,
  count: { wanted: number; needed: number },
): Promise<Candidate[]> {
  const chosen = filter.sessions === null ? null : new Set(filter.sessions)
  const partFilter = {
    ...filter,
    assistants: filter.assistants.map((id) => assistantIds.findIndex((each) => each === id)),
    sessions: chosen !== null && chosen.size <= maxLookedUp ? [...chosen] : null,
  }
  const found = new Found(filter)
  let after: store.PartRow | null = null
  let seen = 0
  for (let size = firstBatch; ; size = Math.min(size * 2, maxBatch)) {
    const enough = () => (seen > patience ? count.needed : count.wanted)
    const parts: store.PartRow[] = await store.listParts(db, partFilter, after, size)
    const hits = await hitsOf(db, query, parts, chosen)
    for (let from = 0; from < hits.length;) {
      const run = runOf(hits, from, enough() - found.size)
      if (run.length === 0 || found.hasNewer(enough(), run[0]?.newest ?? 0)) return found.newest(enough())
      await addEntries(db, run, count.wanted, found)
      from += run.length
    }
    seen += parts.length
    after = parts.at(-1) ?? null
    if (after === null || parts.length < size || found.hasNewer(enough(), after.newest))
      return found.newest(enough())
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

async function addEntries(db: Db, parts: readonly PartHits[], limit: number, found: Found): Promise<void> {
  const sessions = new Map(parts.map((part) => [part.no, part.sessions]))
  const wanted = parts.flatMap(({ no, numbers }) =>
    numbers.slice(0, found.isWithinTimes ? numbers.length : limit).map((number) => ({ part_no: no, number })),
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
  /** Then the newest of a part need not be the ones that are wanted. */
  readonly isWithinTimes: boolean

  constructor({ since, until }: Pick<CandidateFilter, 'since' | 'until'>) {
    this.#since = since === null ? 0 : secondsOf(since.getTime())
    this.#until = until === null ? Infinity : secondsOf(until.getTime())
    this.isWithinTimes = until !== null
  }

  get size(): number {
    return this.#all.size
  }

  add(candidate: Candidate): void {
    if (candidate.seconds < this.#since || candidate.seconds > this.#until) return
    this.#all.set(`${candidate.sessionNo} ${candidate.key}`, candidate)
  }

  newest(count: number): Candidate[] {
    return [...this.#all.values()].toSorted((a, b) => b.seconds - a.seconds).slice(0, count)
  }

  /** Whether enough of them are newer than anything of this time. */
  hasNewer(count: number, seconds: number): boolean {
    if (this.size < count) return false
    const last = this.newest(count).at(-1)
    return last !== undefined && last.seconds > seconds
  }
}
