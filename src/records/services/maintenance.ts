import { sql } from 'kysely'
import { invalidField, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import { rowJson } from '#kernel/rows'
import { newId } from '#kernel/uuid'
import type { Author, PageQuery } from '../record-kind.ts'
import { deleteRecord, insertRecord, listRecords, type Db } from '../record-store.ts'
import type { ServiceRow } from './check-store.ts'
import { windowTable, type WindowRow } from './history-store.ts'

interface MaintenanceDeps {
  db: Db
  events: Events
  /** A window may begin or end now. */
  changed(): void
}

export function createMaintenance({ db, events, changed }: MaintenanceDeps) {
  const tell = (author: Author, title: string, window: WindowRow, service: string | null): void =>
    events.emit('activity', {
      ...configActivity,
      groupId: author.groupId,
      by: author.userId,
      service,
      title,
      message: window.note,
      metadata: {
        ...rowJson(window, ['id', 'service_id', 'starts_at', 'ends_at']),
      },
    })

  return {
    list: (serviceId: string, query: PageQuery) =>
      listRecords<WindowRow>(db, windowTable, [sql`service_id = ${serviceId}`], query),

    async add(
      author: Author,
      service: ServiceRow,
      input: { starts_at: string; ends_at: string; note: string },
    ) {
      const [starts, ends] = [new Date(input.starts_at), new Date(input.ends_at)]
      if (ends <= starts) throw invalidField('ends_at', 'must be after starts_at')
      const row = await insertRecord<WindowRow>(db, windowTable, {
        id: newId(),
        group_id: author.groupId,
        service_id: service.id,
        starts_at: starts,
        ends_at: ends,
        note: input.note,
        created_at: new Date(),
      })
      if (!row) throw new Error('a maintenance window has an ID that is taken')
      tell(author, `Maintenance of ${service.name} planned`, row, service.name)
      changed()
      return row
    },

    async remove(author: Author, id: string): Promise<void> {
      const row = await deleteRecord<WindowRow>(db, windowTable, author.groupId, id)
      if (!row) throw notFound('The maintenance window')
      tell(author, 'Maintenance window deleted', row, null)
      changed()
    },
  }
}
