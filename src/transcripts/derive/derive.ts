import { assistants, type Assistant, type AssistantId, type Source } from '../assistants/index.ts'
import { indexBatch, type IndexedBatch } from '../search/batch.ts'
import { Batch, type UnknownRow, type UsageRow } from './batch.ts'
import { toColumns, type MessageColumns } from './columns.ts'
import type { SessionChanges } from './session-changes.ts'

export interface DeriveInput {
  assistant: AssistantId
  path: string
  /** JSON of the state behind the line before; null at the start of a generation. */
  state: string | null
  /** The number of the first line within its generation. */
  place: number
  /** Added to the number of a line, so that a session that continues in a second file stays in order. */
  orderBase: number
  lines: readonly string[]
}

interface SavedState {
  reader: unknown
  /** The session to which records belong that name none. */
  session: string | null
}

export interface Derived extends IndexedBatch {
  state: string
  orderBase: number
  /** The session to which records belong that name none. */
  current: string | null
  sessions: SessionChanges[]
  messages: MessageColumns
  usage: UsageRow[]
  unknown: UnknownRow[]
}

/** What lines of a source change, in the form in which it is stored. */
export function derive(input: DeriveInput): Derived {
  const { assistant, source } = sourceOf(input.assistant, input.path)
  const saved = input.state === null ? null : (JSON.parse(input.state) as SavedState)
  const reader = assistant.open(source, saved?.reader ?? null)
  const orderBase = input.place === 0 ? baseOf(source, input.lines[0] ?? '') : input.orderBase
  const batch = new Batch(saved?.session ?? source.sessionKey)
  input.lines.forEach((line, index) => {
    // An empty line is one that was erased.
    if (line.trim() === '') return
    for (const change of reader.read(line, orderBase + input.place + index)) batch.apply(change, line)
  })
  return {
    state: JSON.stringify({ reader: reader.state(), session: batch.current } satisfies SavedState),
    orderBase,
    current: batch.current,
    sessions: batch.sessions,
    messages: toColumns(batch),
    usage: [...batch.usage.values()],
    unknown: batch.unknown,
    ...indexBatch(batch.messages),
  }
}

/** Of a source whose lines are not kept: a reader remembers what was in them. */
export function stateWithoutLines(session: string | null): string {
  return JSON.stringify({ reader: null, session } satisfies SavedState)
}

export function sourceOf(id: AssistantId, path: string): { assistant: Assistant; source: Source } {
  const assistant = assistants.find((each) => each.id === id)
  const source = assistant?.source(path)
  if (assistant === undefined || !source) throw new Error(`not a transcript of ${id}: ${path}`)
  return { assistant, source }
}

const firstTime = /"timestamp":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/

/** The time at which a file begins: lines are far fewer than milliseconds. */
function baseOf({ form, role }: Source, firstLine: string): number {
  if (form !== 'lines' || role !== 'session') return 0
  const at = Date.parse(firstTime.exec(firstLine.slice(0, 4_096))?.[1] ?? '')
  return Number.isNaN(at) ? 0 : at
}
