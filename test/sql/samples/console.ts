import * as events from '../../../src/console/store/event-store.ts'
import { deleteOfDeletedGroups } from '../../../src/console/store/deleted-groups.ts'
import { readErrors } from '../../../src/console/store/error-store.ts'
import { listByMetadata } from '../../../src/console/store/metadata-list.ts'
import { deleteBefore, ensureDays } from '../../../src/console/store/partitions.ts'
import { searchEvents } from '../../../src/console/store/search-store.ts'
import { readStats } from '../../../src/console/store/stats-store.ts'
import * as reporters from '../../../src/console/reporter/reporter-store.ts'
import * as views from '../../../src/console/view-store.ts'
import { allLevels, type EventFilter } from '../../../src/console/filter.ts'
import type { Sample } from '../snapshot.ts'
import { id } from './values.ts'

const none = { include: [], exclude: [] }
const all: EventFilter = {
  groupId: id,
  type: none,
  service: none,
  source: none,
  metadata: [],
  levels: allLevels,
  since: null,
  until: null,
}
const some: EventFilter = {
  ...all,
  type: { include: ['deployment'], exclude: [] },
  service: { include: ['payments'], exclude: ['checkout'] },
  levels: [4, 5],
  since: 0,
  until: 1,
}
const range = { after: 1, upTo: 2 }
const found = { id, group_id: id, sequence: 1, title: '', message: '' }

const planned = (rows: number) => ({ 'QUERY PLAN': [{ Plan: { 'Plan Rows': rows } }] })

export const console: Sample = async ({ pool, answer }) => {
  answer([{ lanes: [], sequences_before: [], known_places: null, known_ids: null }])
  await events.storeEvents(pool, [], [], 'sender')
  await events.readHeads(pool, [id])
  await readErrors(pool, { after: id, before: id }, 10)
  await events.findEvent(pool, id, id)
  await events.readGroup(pool, id, range, 10)
  for (const before of [null, id])
    await listByMetadata(
      pool,
      {
        ...all,
        metadata: [
          { path: ['environment'], value: 'production', isExcluded: false },
          { path: ['request', 'path'], value: '/', isExcluded: true },
        ],
      },
      { before, limit: 10 },
    )
  for (const filter of [all, some]) {
    for (const before of [null, id]) await events.listEvents(pool, filter, { before, limit: 10 })
    await events.listAfter(pool, filter, id, 10)
    await events.readRange(pool, filter, range, 10)
    await events.countRange(pool, filter, range)
    for (const sort of ['time', 'rank'] as const)
      for (const before of [null, id]) {
        answer([found])
        if (sort === 'time') answer([planned(100)], [planned(1_000)], [found], [found])
        await searchEvents(pool, filter, { text: 'words', before, offset: 0, sort, limit: 10 })
      }
    for (const until of [3_600_000, 3_600_000 * 24 * 60]) {
      answer([])
      await readStats(pool, filter, { since: 0, until })
    }
    answer([])
    await readStats(pool, filter, { since: 1, until: 60_001 })
    answer([])
    await readStats(pool, filter, { since: 1, until: 60_001 }, 'words')
  }
  answer([{ group_id: id }])
  await deleteOfDeletedGroups(pool)
  await views.listViews(pool, id)
  await views.saveView(pool, { id, groupId: id, name: 'name', query: '', createdBy: null }, 10)
  await views.deleteView(pool, id, id)
  await reporters.findReporter(pool, 'id')
  await reporters.reporterOf(pool, id)
  await reporters.saveReporter(pool, { public_id: 'id', group_id: id, origins: [] })
  await reporters.deleteReporter(pool, id)
  answer([], [])
  await ensureDays(pool, [0])
  answer([], [], [], [{ table: 'console.events_20000101', bound: `FOR VALUES FROM ('${id}') TO ('${id}')` }])
  await deleteBefore(pool, 10 ** 13, 10 ** 13)
}
