import { sql } from 'kysely'
import type { Listener } from '#kernel/db'
import type { Action } from './record-kind.ts'
import type { Db, DbTransaction } from './record-store.ts'

interface Unannounced {
  group_id: string
  kind: 'deployments' | 'tickets' | 'devlogs'
  action: Action
  record_id: string
}

type Kinds = Record<
  Unannounced['kind'],
  {
    announcement(db: Db, groupId: string, id: string, action: Action): Promise<(() => void) | undefined>
  }
>

export interface AnnouncerDeps {
  db: Db
  listener: Listener
  kinds: Kinds
}

const batchSize = 100

/** Emits the events of records that were written by SQL, each in one process. */
export function createAnnouncer({ db, listener, kinds }: AnnouncerDeps) {
  let running: Promise<void> | undefined
  let isWanted = false

  /**
   * Everything is read, then committed, then emitted, as with a change by the API. So where a read or the commit fails
   * nothing was emitted, and the next try emits each event once. A process that is killed between the commit and the
   * emitting, or that never hears of its commit, loses the events of this batch: a line in the console then, where the
   * other order would repeat up to a hundred lines and messages with every try. The records are stored either way.
   */
  async function announceBatch(): Promise<number> {
    const announcements = await db.transaction().execute(async (transaction) => {
      const read: ((() => void) | undefined)[] = []
      for (const { kind, group_id, record_id, action } of await takeUnannounced(transaction))
        read.push(await kinds[kind].announcement(transaction, group_id, record_id, action))
      return read
    })
    for (const emit of announcements) emit?.()
    return announcements.length
  }

  async function announceAll(): Promise<void> {
    while (isWanted) {
      isWanted = false
      if ((await announceBatch()) === batchSize) isWanted = true
    }
  }

  function run(): Promise<void> {
    isWanted = true
    running ??= announceAll().finally(() => (running = undefined))
    return running
  }

  return {
    async start(): Promise<void> {
      await listener.on('records_unannounced', run, run)
      listener.catchUp('records_unannounced')
    },
    async stop(): Promise<void> {
      await running?.catch(() => undefined)
    },
  }
}

export async function takeUnannounced(transaction: DbTransaction): Promise<Unannounced[]> {
  const { rows } = await sql<Unannounced & { id: string }>`
    delete from records.unannounced where id in (
      select id from records.unannounced order by id limit ${batchSize} for update skip locked
    ) returning id, group_id, kind, action, record_id`.execute(transaction)
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id))
}
