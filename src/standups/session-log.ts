import { Fault, faults, notFound } from '#kernel/errors'
import type { StandupEvent, StandupEventType } from './contract.ts'
import { insertEvent, takeDeltas } from './store/event-store.ts'
import { lockSession, type LockedSession } from './store/session-store.ts'
import type { Db, DbTransaction } from './tables.ts'

/** Without what every event has. */
export type EventData<T extends StandupEventType = StandupEventType> = T extends StandupEventType
  ? Omit<Extract<StandupEvent, { type: T }>, 'id' | 'created_at'>
  : never

/** Another has taken the session: nothing more may be written to it. */
export class WorkLost extends Error {}

/** The events of one session, in order: the writer holds its row. */
export interface SessionLog {
  /** Any session. */
  write<T>(id: string, work: (writing: Writing) => Promise<T>): Promise<T>
  /** A session that is open and not about to end; others are a conflict. */
  writeOpen<T>(id: string, work: (writing: Writing) => Promise<T>): Promise<T>
  /** Only while this piece of work has the session; throws `WorkLost` otherwise. */
  writeWithin<T>(id: string, workId: string, work: (writing: Writing) => Promise<T>): Promise<T>
}

export interface Writing {
  transaction: DbTransaction
  session: LockedSession
  add(event: EventData): Promise<StandupEvent>
  /** What has come of the message being spoken; its pieces are removed. */
  takeDeltas(): ReturnType<typeof takeDeltas>
  /** The part of a message that will not be completed becomes an interrupted message. */
  settlePartial(): Promise<void>
}

export const notOpen = (): Fault =>
  new Fault(faults.conflict, 'There is no open stand-up of this initiative. Start one.')

export function createSessionLog(db: Db): SessionLog {
  async function write<T>(
    id: string,
    check: (session: LockedSession | undefined) => LockedSession,
    work: (writing: Writing) => Promise<T>,
  ): Promise<T> {
    return db.transaction().execute(async (transaction) => {
      const session = check(await lockSession(transaction, id))
      return work(writingTo(transaction, session))
    })
  }

  return {
    write: (id, work) => write(id, requireSession, work),
    writeOpen: (id, work) => write(id, requireOpen, work),
    writeWithin: (id, workId, work) =>
      write(
        id,
        (session) => {
          // One that was deleted is nobody's.
          if (session?.work_id !== workId) throw new WorkLost()
          return session
        },
        work,
      ),
  }
}

function requireSession(session: LockedSession | undefined): LockedSession {
  if (!session) throw notFound('The stand-up')
  return session
}

function requireOpen(found: LockedSession | undefined): LockedSession {
  const session = requireSession(found)
  if (session.status !== 'open') throw notOpen()
  if (session.work === 'end' && !session.is_abandoned)
    throw new Fault(faults.conflict, 'The stand-up is ending.')
  return session
}

/** For a transaction that holds the session's row. */
export function writingTo(transaction: DbTransaction, session: LockedSession): Writing {
  const add = ({ type, ...data }: EventData): Promise<StandupEvent> =>
    insertEvent(transaction, session.id, type, data)
  return {
    transaction,
    session,
    add,
    takeDeltas: () => takeDeltas(transaction, session.id),
    async settlePartial() {
      const partial = await takeDeltas(transaction, session.id)
      if (!partial) return
      const { messageId, content } = partial
      const by = { role: 'assistant', author: null, interrupted: true } as const
      await add({ type: 'message', message_id: messageId, content, ...by })
    },
  }
}
