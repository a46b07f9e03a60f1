import { sumCosts, sumLedger } from '../../../src/links/cost/cost-store.ts'
import { memberNames } from '../../../src/links/cost/member-store.ts'
import * as find from '../../../src/links/find/find-store.ts'
import { sources } from '../../../src/links/find/sources.ts'
import * as sweep from '../../../src/links/find/sweep-store.ts'
import * as links from '../../../src/links/link-store.ts'
import * as count from '../../../src/links/statement/count-store.ts'
import { boundsOf, readSides } from '../../../src/links/statement/read-store.ts'
import { spanOf } from '../../../src/links/statement/days.ts'
import { groupsOfSessions, treesOf } from '../../../src/links/statement/tree-store.ts'
import type { LinkTables } from '../../../src/links/tables.ts'
import * as things from '../../../src/links/things/thing-store.ts'
import { thingTypes } from '../../../src/links/shapes/thing.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const ref = { type: 'ticket', id } as const
const last = { at: at.toISOString(), id }

export const linkQueries: Sample = async ({ tables }) => {
  const db = tables<LinkTables>()
  for (const source of sources) {
    await find.readChanges(db, source, 500, undefined)
    await find.readChanges(db, source, 500, last)
    await find.moveCursor(db, source, last)
  }
  for (const type of thingTypes) {
    await find.refresh(db, type, [id])
    await things.findThings(db, id, type, [id])
  }
  await sweep.foundLinks(db, id, 500)
  await sweep.sessionsWithAddresses(db, id, 500)
  await sweep.deleteLinksToNothing(db)

  await links.linksOf(db, id, ref, 200)
  for (const side of ['from', 'to'] as const) await links.linksFrom(db, id, side, [ref], 20)
  await links.linksOfRequest(db, id, 'req_')
  for (const type of ['session', 'run'] as const) await links.requestsOf(db, id, { type, id }, 20)
  await links.insertLink(db, {
    group_id: id,
    from: ref,
    to: ref,
    relation: 'x',
    evidence: '',
    created_by: id,
  })
  await links.findPersonsLink(db, id, { from: ref, to: ref, relation: 'x' })
  await links.findLink(db, id, id)
  await links.deleteLink(db, id)
  await links.dismissLink(db, id)

  for (const type of ['initiative', 'service'] as const) await things.idByName(db, id, type, 'name')
  await things.beliefsAt(db, id, [id])

  const query = { groupId: id, id: undefined, from: undefined, to: undefined }
  for (const type of ['ticket', 'person', 'project'] as const) {
    await sumCosts(db, { ...query, type }, 500)
    await sumCosts(db, { ...query, type, id, from: at, to: at }, 1)
    await sumLedger(db, { ...query, type, from: at, to: at })
  }
  await memberNames(db, id, [id])

  await treesOf(db, id, [id])
  await groupsOfSessions(db, [id])
  await count.forgetSessions(db, [id])
  await count.forgetClaims(db, id, [id])
  await count.countSessions(db, id, [{ root: id, id, key: 'key' }])
  await count.countOthers(db, id, [at])
  await count.hoursToCount(db, id, { from: at, to: at }, 100)
  await count.hoursToCount(db, id, { from: null, to: null }, 100)
  await count.sessionsIn(db, id, [at])
  await count.groupsToCount(db)
  const days = await spanOf(db, { from: '2026-01-01', to: '2026-01-31' }, 'UTC')
  await boundsOf(db, days)
  await readSides(db, id, { first: at, last: at }, 'UTC')
}
