import { Fault, faults } from '#kernel/errors'
import { isSameEffect } from '../evidence/effect.ts'
import type { Effect, Evidence } from '../evidence/evidence.ts'

/** A trial that would restore some rows only is an error, like the run itself would be. */
export function refuseHalf({ effect }: Evidence, undoing: { expect: Effect } | undefined): void {
  if (undoing && effect && !restoresAll(effect, undoing.expect)) throw changedSince(effect, undoing.expect)
}

/** Triggers may do more than the statement that restores the rows; a row that is missing was changed since. */
const restoresAll = (found: Effect, expected: Effect): boolean =>
  expected.tables.every((table) =>
    found.tables.some((each) => isSameEffect({ ...found, tables: [each] }, { ...found, tables: [table] })),
  )

export function changedSince(found: Effect, expected: Effect): Fault {
  const [table] = expected.tables
  const same = found.tables.find(({ schema, name }) => schema === table?.schema && name === table.name)
  const count = (each: typeof table): number => (each ? each.inserted + each.updated + each.deleted : 0)
  return conflict(`Only ${count(same)} of ${count(table)} rows are as the change left them.`)
}

/** A row with the same key is there again, or another undo is restoring it. */
export const addedAgain = (): Fault => conflict('Some of the rows are there again.')

const conflict = (why: string): Fault =>
  new Fault(faults.conflict, `${why} Nothing was undone: restore the rows by statements of your own.`)
