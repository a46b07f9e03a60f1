import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Kysely } from 'kysely'
import type { AgentTables } from '../tables.ts'
import { readEvents, type EventRow } from './event-store.ts'
import type { Feed } from './feed.ts'
import { findRun, type RunRow } from './run-store.ts'
import { toRun } from './to-run.ts'

export interface StreamDeps {
  db: Kysely<AgentTables>
  feed: Feed
  response: ServerResponse
  run: RunRow
  /** The last event that the client has. */
  after: number
  /** Whether there is more to come after what is stored. */
  isOver(run: RunRow): boolean
  /** Sends the whole run as the last event. */
  endsWithRun: boolean
  isAllowed(): Promise<boolean>
}

const pageSize = 200
const heartbeatMs = 15_000
/** A stream ends after this time, so that a client that resumes it is authenticated again. */
const maxAgeMs = 600_000
/** A client that takes nothing for so long is disconnected; it resumes where it was. */
const maxBlockedMs = 120_000

/**
 * Sends the events of a run from the table, as fast as the client reads them, and follows until the run is over. So a
 * slow client costs no memory, and any process can serve any run.
 */
export async function streamEvents(deps: StreamDeps): Promise<void> {
  const { db, feed, response, run } = deps
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  const endsAt = deps.endsWithRun ? Infinity : Date.now() + maxAgeMs
  let position = deps.after
  let allowedAt = Date.now()
  response.write('retry: 2000\n\n')
  while (!closed.signal.aborted && Date.now() < endsAt) {
    const news = feed.news(run.id, heartbeatMs, closed.signal)
    // Read before the events: what was stored by then is among them.
    const latest = await findRun(db, run.group_id, run.id)
    const events = await readEvents(db, run.id, position, pageSize)
    for (const event of events) response.write(frame(run.id, event))
    position = events.at(-1)?.seq ?? position
    if (!(await drained(response, closed.signal))) return void response.destroy()
    if (events.length === pageSize) continue
    if (!latest || deps.isOver(latest)) {
      if (latest && deps.endsWithRun) response.write(`event: run\ndata: ${JSON.stringify(toRun(latest))}\n\n`)
      break
    }
    await news
    if (Date.now() - allowedAt < heartbeatMs) continue
    allowedAt = Date.now()
    if (!(await deps.isAllowed())) break
    response.write(': keep-alive\n\n')
  }
  response.end()
}

function frame(runId: string, { seq, type, data, at }: EventRow): string {
  const event = { type, run_id: runId, seq, at: at.toISOString(), ...data }
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** False: the client does not read. */
async function drained(response: ServerResponse, closed: AbortSignal): Promise<boolean> {
  if (closed.aborted || !response.writableNeedDrain) return true
  const signal = AbortSignal.any([closed, AbortSignal.timeout(maxBlockedMs)])
  await once(response, 'drain', { signal }).catch(() => undefined)
  return closed.aborted || !response.writableNeedDrain
}
