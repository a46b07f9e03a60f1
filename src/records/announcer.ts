import { sql } from 'kysely'
import type { Listener } from '#kernel/db'
import type { Log } from '#kernel/log'
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
  { announce(groupId: string, id: string, action: Action): Promise<void> }
>

export interface AnnouncerDeps {
  db: Db
  listener: Listener
  log: Log
  kinds: Kinds
}

const batchSize = 100

/** Emits the events of records that were written by SQL, each in one process. */
export function createAnnouncer({ db, listener, log, kinds }: AnnouncerDeps) {
  let running: Promise<void> | undefined
  let isWanted = false

  async function announceBatch(): Promise<number> {
    return db.transaction().execute(async (transaction) => {
      const rows = await takeUnannounced(transaction)
      for (const { kind, group_id, record_id, action } of rows)
        await kinds[kind].announce(group_id, record_id, action)
      return rows.length
    })
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
      run().catch((error: unknown) =>
        log.warn({ err: error }, 'records written by SQL could not be announced'),
      )
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
