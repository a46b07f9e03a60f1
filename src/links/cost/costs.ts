import { add, decimal, subtract, writeDecimal } from '#kernel/decimal'
import { invalidField, notFound } from '#kernel/errors'
import type { Cost, CostRow, CostType } from '../shapes/cost.ts'
import type { Db } from '../tables.ts'
import { canonical } from '../things/canonical.ts'
import { describe, keyOf, requireThing } from '../things/things.ts'
import { sumCosts, sumLedger, type CostQuery, type CostSums } from './cost-store.ts'
import { memberNames } from './member-store.ts'

export interface CostsDeps {
  db: Db
  /** Links of what is there now have been found. */
  caughtUp(): Promise<void>
  /** Requests that have ended are in the usage log. */
  ledgerCaughtUp(): Promise<void>
}

const maxRows = 500
const usualMs = 30 * 86_400_000
const longestMs = 400 * 86_400_000

const nothing: Omit<CostSums, 'id'> = {
  ...{ exact: '0', inferred: '0', shared: '0', total: '0', rework: '0', sessions: 0, requests: 0 },
}

/** What work cost: of one thing, or of all things of a type, with what belongs to none. */
export function createCosts({ db, caughtUp, ledgerCaughtUp }: CostsDeps) {
  async function idOf(groupId: string, type: CostType, id: string): Promise<string> {
    if (type === 'project') return id
    if (type === 'pull_request') return canonical({ type, id }).id
    if (type !== 'person') return (await requireThing(db, groupId, { type, id })).id
    const names = await memberNames(db, groupId, [id])
    if (!names.has(id)) throw notFound('The person')
    return id
  }

  async function titled(groupId: string, type: CostType, sums: readonly CostSums[]): Promise<CostRow[]> {
    const ids = sums.map(({ id }) => id)
    if (type === 'project') return sums.map((row) => ({ ...row, title: row.id, url: projectUrl(row.id) }))
    if (type === 'person') {
      const names = await memberNames(db, groupId, ids)
      return sums.map((row) => ({ ...row, title: names.get(row.id) ?? 'Somebody who has left', url: null }))
    }
    const things = await describe(
      db,
      groupId,
      ids.map((id) => ({ type, id })),
      { sqlChanges: false, runs: false },
    )
    return sums.map((row) => {
      const thing = things.get(keyOf({ type, id: row.id }))
      return { ...row, title: thing?.title ?? 'Deleted', url: thing?.url ?? null }
    })
  }

  async function ofOne(query: CostQuery & { id: string }): Promise<Cost> {
    const [sums] = await sumCosts(db, query, 1)
    const { id: _id, ...row } = sums ?? { id: '', ...nothing }
    return { ...row, unattributed: '0' }
  }

  async function ofAll(query: CostQuery): Promise<Cost> {
    const [ledger, sums] = await Promise.all([sumLedger(db, query), sumCosts(db, query, maxRows)])
    const { cost: total, exact, inferred, shared, ...counts } = ledger
    const attributed = [exact, inferred, shared].map(decimal).reduce(add)
    return {
      ...{ exact, inferred, shared, total, ...counts },
      unattributed: writeDecimal(subtract(decimal(total), attributed)),
      data: await titled(query.groupId, query.type, sums),
    }
  }

  return async function costs(
    groupId: string,
    { type, id, from, to }: Omit<CostQuery, 'groupId'>,
  ): Promise<Cost> {
    const chosen = id === undefined ? undefined : await idOf(groupId, type, id)
    await Promise.all([caughtUp(), ledgerCaughtUp()])
    // A person's requests have no index of their own, so that a period is read.
    const period = type === 'person' ? periodOf(from, to) : { from, to }
    if (chosen !== undefined) return ofOne({ groupId, type, id: chosen, ...period })
    return ofAll({ groupId, type, id: undefined, ...periodOf(from, to) })
  }
}

/** All things of a type are summed over a period: without one, the last 30 days. */
function periodOf(from: Date | undefined, to: Date | undefined): { from: Date; to: Date } {
  const end = to ?? new Date(Date.now() + 1_000)
  const start = from ?? new Date(end.getTime() - usualMs)
  if (start >= end) throw invalidField('to', 'must be after from')
  if (end.getTime() - start.getTime() > longestMs)
    throw invalidField('from', 'must be at most 400 days before to')
  return { from: start, to: end }
}

const projectUrl = (project: string): string => `/transcripts?project=${encodeURIComponent(project)}`

export type Costs = ReturnType<typeof createCosts>
