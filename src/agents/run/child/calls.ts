import { repeatedNote, UselessCalls } from '#kernel/tool-calls'
import { untrusted } from '#kernel/untrusted'
import { maxToolOutput, type Decision, type PendingCall, type Start } from '../protocol.ts'
import { isVisible } from '../visible.ts'
import { permissionFor } from './permission.ts'
import type { AgentTool } from './servers.ts'

export interface Call {
  id: string
  name: string
  input: unknown
}

export interface Made {
  status: 'done' | 'failed' | 'denied' | 'skipped'
  result: string
  durationMs: number
}

/** With this the agent asks a person. The run waits until somebody answers. */
export const personTool = {
  name: 'ask_person',
  description:
    'Asks a person a question and waits for the answer, which may take hours. Only for what you cannot find out yourself.',
  inputSchema: {
    type: 'object',
    properties: { question: { type: 'string', description: 'The question, in plain words.' } },
    required: ['question'],
    additionalProperties: false,
  },
}

const skipped =
  'Not run: a call before it in the same response waits for a person. Call it again if it is still needed.'

/** The calls of tools in this process: those that were made, and the one that waits for a person. */
export class Calls {
  pending: PendingCall | undefined
  readonly useless = new UselessCalls()
  readonly #made = new Map<string, Made>()
  readonly #tools: ReadonlyMap<string, AgentTool>
  readonly #start: Start

  constructor(start: Start, tools: readonly AgentTool[]) {
    this.#start = start
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
  }

  serverOf(name: string): string | null {
    return this.#tools.get(name)?.server ?? null
  }

  /** What would be denied anyway is not shown to the model. */
  isOffered(tool: AgentTool): boolean {
    return this.#start.mode !== 'plan' || permissionFor(this.#start, tool) !== 'deny'
  }

  isPending(id: string): boolean {
    return this.pending?.id === id
  }

  taken(id: string): Made | undefined {
    return this.#made.get(id)
  }

  /** A call that reaches no tool. */
  refuse(call: Call, reason: string, isUnknown: boolean): void {
    if (isUnknown) this.useless.unknownTool()
    else this.useless.failed(call.name, call.input)
    this.#made.set(call.id, { status: 'failed', result: reason, durationMs: 0 })
  }

  /** Behind a call that waits, no call of the same response runs: it may depend on the one that waits. */
  skip(call: Call): string {
    return this.#settle(call, 'skipped', skipped, 0)
  }

  /** What the model reads as the result. */
  async make(call: Call, signal?: AbortSignal): Promise<string> {
    if (this.pending) return this.skip(call)
    const text = await this.#attempt(call, signal)
    const status = this.#made.get(call.id)?.status
    if (status === 'done') this.useless.worked(call.name, call.input)
    if (status !== 'failed' && status !== 'denied') return text
    return this.useless.failed(call.name, call.input) ? `${text}\n${repeatedNote}` : text
  }

  async #attempt(call: Call, signal: AbortSignal | undefined): Promise<string> {
    const input = asObject(call.input)
    if (call.name === personTool.name) return this.#ask(call, input)
    const tool = this.#tools.get(call.name)
    if (!tool) return this.#settle(call, 'failed', `There is no tool "${call.name}".`, 0)
    const permission = permissionFor(this.#start, tool)
    if (permission === 'run') return this.#run(tool, call, input, signal)
    if (permission === 'deny')
      return this.#settle(
        call,
        'denied',
        `Denied: the permission mode "${this.#start.mode}" does not allow it.`,
        0,
      )
    return this.#wait({ kind: 'tool', id: call.id, name: call.name, arguments: input })
  }

  /** A call that waited, after a person has decided. */
  async makeDecided(call: PendingCall, decision: Decision): Promise<string> {
    const { id, name, arguments: input } = call
    const made = { id, name, input }
    if (decision.outcome === 'denied') return this.#settle(made, 'denied', `Denied: ${decision.reason}`, 0)
    if (decision.outcome === 'answered')
      return this.#settle(made, 'done', `The person answered: ${decision.text}`, 0)
    const tool = this.#tools.get(name)
    if (!tool) return this.#settle(made, 'failed', `There is no tool "${name}" any more.`, 0)
    const approval = decision.outcome === 'approved' ? { approval_id: decision.approval_id } : {}
    return this.#run(tool, made, { ...input, ...approval })
  }

  async #run(
    tool: AgentTool,
    call: Call,
    input: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<string> {
    const startedAt = performance.now()
    const passed = (): number => Math.round(performance.now() - startedAt)
    try {
      const { text, isError, approvalId } = await tool.call(input, signal)
      if (approvalId !== undefined) {
        const { approval_id: _used, ...args } = input
        return this.#wait({
          kind: 'approval',
          id: call.id,
          name: call.name,
          arguments: args,
          approval_id: approvalId,
        })
      }
      this.#made.set(call.id, { status: isError ? 'failed' : 'done', result: text, durationMs: passed() })
      return untrusted(call.name, isError ? `The tool reports an error.\n${text}` : text, maxToolOutput)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const { server } = tool
      return this.#settle(call, 'failed', `The tool server "${server}" did not answer: ${message}`, passed())
    }
  }

  #ask(call: Call, input: Record<string, unknown>): string {
    const question = typeof input['question'] === 'string' ? input['question'].trim() : ''
    if (!isVisible(question))
      return this.#settle(call, 'failed', 'question must be a string that is not empty.', 0)
    const asked = question.slice(0, 20_000)
    return this.#wait({ kind: 'question', id: call.id, name: call.name, arguments: input, question: asked })
  }

  #wait(call: PendingCall): string {
    this.pending = call
    return 'This call waits for a person.'
  }

  #settle(call: Call, status: Made['status'], result: string, durationMs: number): string {
    this.#made.set(call.id, { status, result, durationMs })
    return result
  }
}

/** A model may send anything as arguments. */
export function asObject(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? { ...input }
    : { input: input === undefined ? null : input }
}
