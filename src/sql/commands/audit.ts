import type { Kysely } from 'kysely'
import { table, UsageError, withDatabase, type Command } from '#kernel/command'
import { verifyChains } from '../audit/verify.ts'
import type { SqlTables } from '../tables.ts'

export const command: Command = {
  summary: 'Verify the audit log of the SQL proxy',
  usage: [
    'verify [--head ENTRIES:HASH] [--json]',
    '(verify recalculates every hash and exits with 1 where one does not fit; --head compares with what verify printed before)',
  ],
  options: { head: { type: 'string' } },
  async run({ words, flags, print }) {
    if (words[0] !== 'verify') throw new UsageError('Use verify.')
    const known = knownHead(flags['head'])
    const reports = await withDatabase(({ database }) => {
      const db: Kysely<SqlTables> = database.tables()
      return verifyChains(db, known)
    })
    const isWhole = reports.every(({ problem }) => problem === null)
    const rows = reports.map((each) => [
      each.group_id,
      `${each.entries}:${each.head}`,
      each.problem ?? 'whole',
    ])
    const text =
      reports.length === 0 ? 'The audit log is empty.' : table(['GROUP', 'ENTRIES:HEAD', 'STATE'], rows)
    print(text, { whole: isWhole, chains: reports })
    return isWhole ? 0 : 1
  },
}

function knownHead(given: string | boolean | undefined): { seq: string; hash: string } | undefined {
  if (given === undefined) return undefined
  const [, seq, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(String(given)) ?? []
  if (seq === undefined || hash === undefined)
    throw new UsageError('--head is the number of entries, a colon and the hash, as verify prints them.')
  return { seq, hash }
}
