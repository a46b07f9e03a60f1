import type { Kysely } from 'kysely'
import type { Followed, LogPage } from '#kernel/event-log'
import { eventFrame } from '#kernel/http'
import type { AgentTables } from '../tables.ts'
import { readEvents } from './event-store.ts'
import { findRun, isActive, isOpen, readStatus, type RunRow } from './run-store.ts'
import { toRun } from './to-run.ts'

/**
 * The events of a run until it has ended. The caller gets the whole run after them, and does not wait longer
 * than until it waits for a person.
 */
export function eventsOf(
  db: Kysely<AgentTables>,
  { id, group_id: groupId }: RunRow,
  { after, endsWithRun }: { after: number; endsWithRun: boolean },
): Followed {
  async function read(from: number, limit: number): Promise<LogPage> {
    // Read before the events: what was stored by then is among them.
    const status = await readStatus(db, groupId, id)
    const events = await readEvents(db, id, from, limit)
    const frames = events.map(({ seq, type, data, at }) => ({
      seq,
      text: eventFrame(seq, type, { type, run_id: id, seq, at: at.toISOString(), ...data }),
    }))
    const goesOn = status && (endsWithRun ? isActive({ status }) : isOpen({ status }))
    if (goesOn || frames.length === limit) return { frames }
    return { frames, last: endsWithRun ? await lastFrame() : '' }
  }

  async function lastFrame(): Promise<string> {
    const run = await findRun(db, groupId, id)
    return run ? `event: run\ndata: ${JSON.stringify(toRun(run))}\n\n` : ''
  }

  return { subjectId: id, after, read }
}
