import type { Kysely } from 'kysely'
import type { SqlTables } from '../tables.ts'
import { entriesAfter, findHead, listChains, type Head } from './audit-store.ts'
import { hashAfter } from './entry.ts'

export interface ChainReport {
  group_id: string
  entries: number
  /** The hash of the last entry. Noted elsewhere, it shows later that nothing before it was changed. */
  head: string
  /** The first thing that is wrong; null: the chain is whole. */
  problem: string | null
}

const rowsAtOnce = 1_000
/** Somebody may have put an entry before the first. */
const lowest = String(-(2n ** 63n))
const start: Buffer = Buffer.alloc(32)

/** Recalculates every hash of every group. `known` is a place and a hash that were noted before. */
export async function verifyChains(
  db: Kysely<SqlTables>,
  known?: { seq: string; hash: string },
): Promise<ChainReport[]> {
  const reports: ChainReport[] = []
  let isKnownFound = false
  for (const groupId of await listChains(db)) {
    const report = await verifyChain(db, groupId, (seq, hash) => {
      if (known && seq === BigInt(known.seq) && hash === known.hash) isKnownFound = true
    })
    reports.push(report)
  }
  if (known && !isKnownFound)
    reports.push({
      group_id: '-',
      entries: 0,
      head: known.hash,
      problem: `No chain has this hash at ${known.seq}: entries up to there were changed or removed.`,
    })
  return reports
}

/** The chain of one group. */
export async function verifyChain(
  db: Kysely<SqlTables>,
  groupId: string,
  seen: (seq: bigint, hash: string) => void = () => undefined,
): Promise<ChainReport> {
  let previous = start
  let seq = 0n
  const report = (problem: string | null): ChainReport => ({
    group_id: groupId,
    entries: Number(seq),
    head: previous.toString('hex'),
    problem,
  })
  for (;;) {
    const entries = await entriesAfter(db, groupId, seq === 0n ? lowest : String(seq), rowsAtOnce)
    for (const entry of entries) {
      const place = BigInt(entry.seq)
      if (place <= seq) return report(`Entry ${place} does not belong to the chain.`)
      if (place !== seq + 1n) return report(`Entry ${seq + 1n} is missing.`)
      if (!entry.previous_hash.equals(previous))
        return report(`Entry ${place} does not follow the one before it.`)
      const hash = hashAfter(previous, entry)
      if (!hash.equals(entry.hash)) return report(`Entry ${place} was changed.`)
      previous = hash
      seq = place
      seen(seq, hash.toString('hex'))
    }
    if (entries.length === rowsAtOnce) continue
    const head = await findHead(db, groupId)
    // Entries that were added while these were read.
    if (head && BigInt(head.seq) > seq && entries.length > 0) continue
    return report(againstHead(head, seq, previous))
  }
}

function againstHead(head: Head | undefined, seq: bigint, hash: Buffer): string | null {
  if (!head) return 'The end of the chain was removed.'
  if (BigInt(head.seq) !== seq) return `The chain ends at ${seq}, but ${head.seq} entries were written.`
  return head.hash.equals(hash) ? null : 'The end of the chain was changed.'
}
