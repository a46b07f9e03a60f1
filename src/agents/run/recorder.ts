import type { Kysely } from 'kysely'
import { mask } from '#kernel/mask'
import type { AgentTables } from '../tables.ts'
import { appendEvents, type NewEvent } from './event-store.ts'
import type { FromChild } from './protocol.ts'
import { RunFault } from './run-fault.ts'
import { saveProgress, type Progress, type RunRow } from './run-store.ts'
import { maxShownResult, type ToolCall } from '../shapes/run.ts'
import type { Spending } from './spending.ts'

type ToolCalled = Extract<FromChild, { type: 'tool_call' }>
type ToolReturned = Extract<FromChild, { type: 'tool_result' }>

const flushMs = 150
/** Deltas are joined up to this length. */
const maxDelta = 16_384
/** From here on pieces of text are joined to this length, however long that takes. */
const maxQuickEvents = 20_000
/** What a run may store: many times what the largest task says. */
const maxStoredMegabytes = 8
const maxStored = maxStoredMegabytes * 1024 * 1024
/** What an event takes besides its text. */
const eventBytes = 100
const maxToolCalls = 1_000

/**
 * Writes what happens in a run: events for those who follow it, and the state for those who ask later. Pieces of text
 * are joined for a moment, so that a fast model does not cost a write per word.
 */
export class Recorder {
  readonly toolCalls: ToolCall[]
  steps: number
  spending: Spending
  readonly #db: Kysely<AgentTables>
  readonly #run: RunRow
  readonly #processId: string
  #waiting: { type: 'text' | 'thought'; content: string } | undefined
  #timer: NodeJS.Timeout | undefined
  #tail: Promise<void> = Promise.resolve()
  #failure: Error | undefined
  #events: number
  #stored: number

  /** `stored`: how much the run has stored in processes before this one. */
  constructor(db: Kysely<AgentTables>, run: RunRow, processId: string, stored = 0) {
    this.#db = db
    this.#run = run
    this.#processId = processId
    this.#events = run.last_seq
    this.#stored = stored
    this.toolCalls = [...run.tool_calls]
    this.steps = run.steps
    this.spending = {
      calls: 0,
      inputTokens: Number(run.input_tokens),
      outputTokens: Number(run.output_tokens),
      cost: run.cost,
    }
  }

  /** Resolves when it may be given more. */
  async delta(type: 'text' | 'thought', content: string): Promise<void> {
    this.#count(content)
    if (this.#waiting && (this.#waiting.type !== type || this.#waiting.content.length >= maxDelta))
      await this.flush()
    if (this.#waiting) this.#waiting.content += content
    else this.#waiting = { type, content }
    if (this.#events < maxQuickEvents)
      this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), flushMs)
  }

  async event(event: NewEvent): Promise<void> {
    this.#queue([...this.#taken(), event])
    await this.#settled()
  }

  /** Everything up to here is stored. Rejects if something could not be. */
  async flush(): Promise<void> {
    this.#queue(this.#taken())
    await this.#settled()
  }

  async toolCalled({ id, name, server, arguments: input }: ToolCalled): Promise<void> {
    const shown = { id, name, server, arguments: maskedObject(input) }
    this.#count(JSON.stringify(shown))
    const call: ToolCall = {
      ...shown,
      status: 'running',
      result: null,
      started_at: new Date().toISOString(),
      duration_ms: null,
    }
    if (this.toolCalls.length < maxToolCalls) this.toolCalls.push(call)
    await this.event({ type: 'tool_call', ...shown })
    await this.save()
  }

  async toolReturned({ id, status, result, duration_ms }: ToolReturned): Promise<void> {
    const shown = { status, result: cutBytes(mask(result), maxShownResult), duration_ms }
    this.#count(shown.result)
    const call = this.toolCalls.findLast((each) => each.id === id)
    if (call) Object.assign(call, shown)
    await this.event({ type: 'tool_result', id, ...shown })
    await this.save()
  }

  toolWaits(id: string): void {
    const call = this.toolCalls.findLast((each) => each.id === id)
    if (call) call.status = 'waiting'
  }

  /** Calls that will not return any more. */
  closeToolCalls(): void {
    for (const call of this.toolCalls)
      if (call.status === 'running' || call.status === 'waiting')
        Object.assign(call, { status: 'failed', result: 'The run ended before it returned.' })
  }

  async spent(spending: Spending): Promise<void> {
    this.spending = spending
    const { inputTokens, outputTokens, cost } = spending
    await this.event({ type: 'usage', usage: usageOf(inputTokens, outputTokens), cost, steps: this.steps })
    await this.save()
  }

  progress(): Progress {
    const { inputTokens, outputTokens, cost } = this.spending
    return {
      tool_calls: this.toolCalls,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cost,
      steps: this.steps,
    }
  }

  async save(): Promise<void> {
    if (!(await saveProgress(this.#db, this.#run.id, this.#processId, this.progress())))
      throw new Error('The run belongs to another process.')
  }

  /** Ends a run whose process says more than anybody reads. */
  #count(content: string): void {
    this.#stored += Buffer.byteLength(content)
    if (this.#stored > maxStored)
      throw new RunFault(
        'max_output',
        `The run wrote more than ${maxStoredMegabytes} MB of text and calls, which is the limit.`,
      )
  }

  #taken(): NewEvent[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting ? [{ ...waiting, content: mask(waiting.content) }] : []
  }

  #queue(events: NewEvent[]): void {
    this.#events += events.length
    this.#stored += events.length * eventBytes
    this.#tail = this.#tail
      .then(() => appendEvents(this.#db, this.#run.id, events))
      .catch((error: unknown) => void (this.#failure ??= error as Error))
  }

  async #settled(): Promise<void> {
    await this.#tail
    if (this.#failure) throw this.#failure
  }
}

export const usageOf = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
})

/** On a character boundary. */
export function cutBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  let end = limit
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
}

/** Arguments may hold what looks like a key; people see them without. */
export function maskedObject(input: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(input)
  const masked = mask(text)
  if (masked === text) return input
  try {
    return JSON.parse(masked) as Record<string, unknown>
  } catch {
    return { masked }
  }
}
