import * as holders from '../../../src/limits/holder-store.ts'
import * as leaseOf from '../../../src/limits/lease-store.ts'
import * as limitsOf from '../../../src/limits/limit-store.ts'
import type { LimitTables } from '../../../src/limits/tables.ts'
import * as windows from '../../../src/limits/window-store.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const window = { limitId: id, startsAt: at }
const row: object[] = [{}]

export const leases: Sample = async ({ tables, pool, answer }) => {
  const db = tables<LimitTables>()
  await limitsOf.insertLimit(db, {
    ...{ id, group_id: id, subject_type: 'group', subject_id: null, metric: 'cost', amount: 1n },
    ...{ time_window: 'day', action: 'block', on_outage: 'refuse', unpriced: 'block', created_by: id },
  })
  await limitsOf.listLimits(db, id)
  await limitsOf.allLimits(db)
  await limitsOf.findLimit(db, [id], id)
  await limitsOf.updateLimit(db, id, { amount: '1', action: 'warn', on_outage: 'allow', unpriced: 'allow' })
  await limitsOf.deleteLimit(db, id)
  await limitsOf.windowStates(db, [window])

  for (const isLast of [false, true]) {
    answer([{ used: '0', leased: '0', reached_at: null, counted_to: at }], [{ granted: '0', report: '1' }])
    await leaseOf.exchangeLease(pool, {
      ...{
        ...window,
        holder: id,
        report: {
          number: 2,
          spent: [
            [at.getTime() - 1, 1n],
            [at.getTime(), 1n],
          ],
        },
        reserved: 0n,
        hadLease: true,
      },
      ...{ decide: () => 1n, amount: 1n, isLast, asksOthers: true },
    })
  }

  const step = { from: at, amount: 1n }
  const range = { from: at, to: at, dueInMs: 0 }
  await windows.insertWindow(pool, { ...window, endsAt: at, used: 1n, steps: [step], countedTo: at }, range)
  await windows.takeRecount(pool)
  answer(row, [{ amount: '1' }])
  await windows.replaceSteps(pool, window, { from: at, to: at }, [step])
  await windows.deleteOld(pool)

  await holders.beat(pool, id)
  await holders.removeHolder(pool, id)
  await holders.deadLeases(pool)
  answer(row, [{ granted: '1' }])
  await holders.reclaim(pool, { ...window, holder: id, seenAt: at })
  await holders.removeDead(pool)
}
