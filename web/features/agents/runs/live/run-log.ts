import type { Run, RunEvent, ToolCall, WaitingFor } from '#agents/contract'

/** What happened in a run, in the order in which it is read. */
export type Entry =
  | { kind: 'request'; key: number; request: string; by: string }
  | { kind: 'text'; key: number; content: string }
  | { kind: 'thought'; key: number; content: string }
  | { kind: 'call'; key: number; call: ToolCall }
  | { kind: 'wait'; key: number; at: string; waitingFor: WaitingFor; isOver: boolean }
  | { kind: 'devlog'; key: number; devlogId: string }
  | { kind: 'error'; key: number; code: string; message: string }

type Live = Pick<Run, 'status' | 'waiting_for' | 'usage' | 'cost' | 'steps' | 'workflow'>

export interface RunLog {
  /** The number of the last event. */
  seq: number
  entries: readonly Entry[]
  /** How often somebody continued the run. */
  turns: number
  /** What the events said last about the run. */
  live: Partial<Live>
}

export const emptyLog: RunLog = { seq: 0, entries: [], turns: 0, live: {} }

/** The log with these events added; those it has already are left out, because a resumed stream may repeat some. */
export function extendLog(log: RunLog, events: readonly RunEvent[]): RunLog {
  const draft: Draft = { ...log, entries: [...log.entries], live: { ...log.live } }
  for (const event of events) {
    if (event.seq <= draft.seq) continue
    draft.seq = event.seq
    take(draft, event)
  }
  return draft
}

interface Draft extends RunLog {
  /** Entries are replaced, never changed: a page draws only those that are new to it. */
  entries: Entry[]
}

function take(draft: Draft, event: RunEvent): void {
  const { entries, live } = draft
  switch (event.type) {
    case 'request':
      draft.turns += 1
      live.workflow = null
      entries.push({ kind: 'request', key: event.seq, request: event.request, by: event.started_by })
      return undefined
    case 'text':
    case 'thought':
      return addPiece(entries, event)
    case 'tool_call':
      return addCall(entries, event)
    case 'tool_result':
      return addResult(entries, event)
    case 'status':
      live.status = event.status
      live.waiting_for = event.waiting_for
      return event.waiting_for === null ? endWaits(entries) : addWait(entries, event, event.waiting_for)
    case 'approval':
      return addWait(entries, event, event.waiting_for)
    case 'usage':
      Object.assign(live, { usage: event.usage, cost: event.cost, steps: event.steps })
      return undefined
    case 'workflow':
      live.workflow = event.workflow
      return undefined
    case 'devlog':
      entries.push({ kind: 'devlog', key: event.seq, devlogId: event.devlog_id })
      return undefined
    case 'error':
      entries.push({ kind: 'error', key: event.seq, code: event.code, message: event.message })
      return undefined
    default:
      // A newer server may send more than this page knows.
      return undefined
  }
}

type Event<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

function addPiece(entries: Entry[], { type, seq, content }: Event<'text' | 'thought'>): void {
  const last = entries.at(-1)
  if (last?.kind === type) entries[entries.length - 1] = { ...last, content: last.content + content }
  else entries.push({ kind: type, key: seq, content })
}

/** A call that waited is made again under the same id when the run continues. */
function addCall(entries: Entry[], event: Event<'tool_call'>): void {
  const { seq, at, id, name, server } = event
  const call: ToolCall = {
    ...{ id, name, server, arguments: event.arguments },
    ...{ status: 'running', result: null, started_at: at, duration_ms: null },
  }
  if (!changeCall(entries, id, () => call)) entries.push({ kind: 'call', key: seq, call })
}

function addResult(entries: Entry[], { id, status, result, duration_ms }: Event<'tool_result'>): void {
  changeCall(entries, id, (call) => ({ ...call, status, result, duration_ms }))
}

function changeCall(entries: Entry[], id: string, change: (call: ToolCall) => ToolCall): boolean {
  const index = entries.findLastIndex((entry) => entry.kind === 'call' && entry.call.id === id)
  const entry = entries[index]
  if (entry?.kind !== 'call') return false
  entries[index] = { ...entry, call: change(entry.call) }
  return true
}

function endWaits(entries: Entry[]): void {
  for (const [index, entry] of entries.entries())
    if (entry.kind === 'wait' && !entry.isOver) entries[index] = { ...entry, isOver: true }
}

/** An approval is reported by two events; it is one wait. */
function addWait(entries: Entry[], { seq, at }: { seq: number; at: string }, waitingFor: WaitingFor): void {
  const isReported = entries.some(
    (entry) =>
      entry.kind === 'wait' && !entry.isOver && entry.waitingFor.tool_call_id === waitingFor.tool_call_id,
  )
  if (!isReported) entries.push({ kind: 'wait', key: seq, at, waitingFor, isOver: false })
}
