import type { Kysely } from 'kysely'
import { scopesIn, type Membership, type Principal } from '#kernel/auth'
import { Fault, faults } from '#kernel/errors'
import type { LogEvent } from '#kernel/event-log'
import { mask } from '#kernel/mask'
import type { AgentRow } from '../agent-store.ts'
import type { ContinueBody } from '../shapes/ask.ts'
import type { AgentTables } from '../tables.ts'
import { limitsOfServer, lowered, onTopOf, scopesOfRun } from './asked.ts'
import { conversationOf } from './conversation.ts'
import type { RunDeps } from './deps.ts'
import { readEvents } from './event-store.ts'
import { moved } from './finish.ts'
import { isOpen, type RunRow } from './run-store.ts'

const maxTurns = 100
const pageSize = 1_000

export interface Continuation {
  principal: Principal
  group: Membership
  /** The person or key that continues it. */
  name: string
  agent: AgentRow
  body: ContinueBody
}

/** A run that has not ended takes no message. */
export function checkEnded(row: RunRow): void {
  if (isOpen(row))
    throw new Fault(
      faults.conflict,
      row.status === 'waiting'
        ? 'The run waits for a person. Answer it, or cancel it, before you continue it.'
        : 'The run has not ended. Continue it when it has, or cancel it.',
    )
  if (row.turns.length + 1 >= maxTurns)
    throw new Fault(faults.conflict, `A run has at most ${maxTurns} messages. Ask the agent again.`)
}

/**
 * Queues a run that has ended with a new message: the same conversation, with the agent as it is now, the rights of
 * the one who continues it, and limits of its own on top of what was used before.
 */
export async function continueRun(
  deps: RunDeps,
  row: RunRow,
  { principal, group, name, agent, body }: Continuation,
): Promise<RunRow> {
  const db: Kysely<AgentTables> = deps.database.tables()
  const request = mask(body.request)
  const turn = { request, started_by: name, created_at: new Date().toISOString() }
  const limits = onTopOf(row, lowered(limitsOfServer(deps.config), body.limits))
  const after = await moved(
    deps,
    { id: row.id, status: row.status, turns: row.turns.length },
    'queued',
    {
      agent_version: agent.version,
      turns: JSON.stringify([...row.turns, turn]),
      limits: JSON.stringify(limits),
      started_by: principal.user?.id ?? null,
      started_key: principal.key?.id ?? null,
      scopes: scopesOfRun(scopesIn(principal, group)),
      memory: JSON.stringify({
        messages: conversationOf(row.request, await allEvents(db, row.id)),
        pending: [],
      }),
      error: null,
      workflow: null,
      cancel_requested: false,
    },
    [{ type: 'request', request, started_by: name }],
  )
  if (!after) throw new Fault(faults.conflict, 'Somebody else has just continued the run. Reload it.')
  return after
}

async function allEvents(db: Kysely<AgentTables>, id: string): Promise<LogEvent[]> {
  const events: LogEvent[] = []
  for (;;) {
    const page = await readEvents(db, id, events.at(-1)?.seq ?? 0, pageSize)
    events.push(...page)
    if (page.length < pageSize) return events
  }
}
