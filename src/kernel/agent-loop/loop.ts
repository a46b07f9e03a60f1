import { createHash } from 'node:crypto'
import type { ModelReply } from '#kernel/model-reply'
import { LoopStop } from './loop-stop.ts'
import { distinctIds, returnable } from './messages.ts'
import type { LoopCall, LoopTool, Outcome } from './tool.ts'
import { untrusted } from './untrusted.ts'

/** How the loop reaches the model and the people. What a hook rejects with ends the loop. */
export interface LoopHooks {
  /** One call of the model; the limits of cost are checked before it. */
  ask(messages: readonly object[], tools: readonly object[]): Promise<ModelReply>
  /** Each call of a response, before the first of them runs. */
  called?(call: LoopCall): Promise<void>
  settled(call: LoopCall, outcome: Outcome, durationMs: number): Promise<void>
  signal?: AbortSignal
  maxSteps?: number
}

export type LoopEnd<Pending> =
  | { kind: 'said'; reply: ModelReply }
  | { kind: 'waits'; pending: Pending; messages: object[] }

/** More than any task needs in one response; a model that is out of order sends thousands. */
const maxCallsAtOnce = 100

export const skipped: Outcome = {
  status: 'skipped',
  shown:
    'Not run: a call before it in the same response waits for a person. Call it again if it is still needed.',
}

/**
 * Lets a model work with tools until it responds or a call waits for a person. The calls of a response run one after
 * the other, because they may depend on each other; behind one that waits nothing runs. The model
 * reads what was wrong with a call and may try otherwise, a few times.
 */
export async function runLoop<Pending = never>(
  before: readonly object[],
  tools: readonly LoopTool<Pending>[],
  hooks: LoopHooks,
): Promise<LoopEnd<Pending>> {
  const { signal, maxSteps = Infinity } = hooks
  const messages = [...before]
  const described = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  const useless = new UselessCalls()
  for (let step = 0; step < maxSteps; step++) {
    signal?.throwIfAborted()
    const reply = await hooks.ask(messages, described)
    if (reply.toolCalls.length === 0) return { kind: 'said', reply }
    const calls = distinctIds(reply, messages)
    messages.push(returnable(reply, calls))
    for (const call of calls.slice(0, maxCallsAtOnce)) await hooks.called?.(call)
    if (calls.length > maxCallsAtOnce) throw tooManyCalls()
    let waits: { pending: Pending } | undefined
    for (const call of calls) {
      signal?.throwIfAborted()
      const startedAt = performance.now()
      const made = await attempt(call, tools, waits !== undefined)
      if (made.status === 'waits') waits = made
      else {
        const note = useless.isRepeated(call, made) ? repeatedNote : ''
        messages.push(resultMessage(call, made, note))
        await hooks.settled(call, made, Math.round(performance.now() - startedAt))
      }
    }
    if (useless.areTooMany) throw new LoopStop('repeated_failures', uselessMessage)
    if (waits) return { kind: 'waits', pending: waits.pending, messages }
  }
  throw new LoopStop(
    'step_limit',
    `The agent stopped after ${maxSteps} steps. Send a message to let it go on.`,
  )
}

async function attempt<Pending>(
  call: LoopCall,
  tools: readonly LoopTool<Pending>[],
  isBehindWait: boolean,
): ReturnType<LoopTool<Pending>['call']> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool && call.input !== undefined) return isBehindWait ? skipped : tool.call(call.input, call)
  const name = call.name.slice(0, 100)
  if (tool)
    return {
      status: 'failed',
      shown: `The agent called "${name}" with arguments that are not JSON.`,
      told: 'The arguments are not JSON.',
    }
  const names = tools.map((each) => each.name).join(', ')
  return {
    status: 'failed',
    isUnknown: true,
    shown: `The agent called a tool that does not exist: "${name}".`,
    told: `There is no tool "${name}". There are: ${names}.`,
  }
}

const repeatedNote =
  '\nThis call failed before with the same arguments. Do not repeat it: change it, or report the error.'

/** What the model reads as the result of a call. */
export function resultMessage(
  { id, name }: Pick<LoopCall, 'id' | 'name'>,
  { status, shown, told = shown, data }: Outcome,
  note = '',
): object {
  const text = data !== undefined ? untrusted(name, data) : status === 'failed' ? `Error: ${told}` : told
  return { role: 'tool', tool_call_id: id, content: text + note }
}

const tooManyCalls = (): LoopStop =>
  new LoopStop(
    'max_tool_calls',
    `The model called more than ${maxCallsAtOnce} tools in one response, which is the limit.`,
  )

const maxUseless = 5

const uselessMessage = `The model made ${maxUseless} calls of tools that do not exist, or that had failed before with the same arguments.`

/** Counts the calls of a model that lead nowhere, so that it does not use up all its steps with them. */
class UselessCalls {
  readonly #failed = new Set<string>()
  #count = 0

  get areTooMany(): boolean {
    return this.#count >= maxUseless
  }

  /** True: it failed, as it did before with the same arguments. */
  isRepeated(call: LoopCall, { status, isUnknown }: Outcome): boolean {
    if (isUnknown) this.#count++
    if (isUnknown || status === 'skipped') return false
    const key = hashOf(call)
    const hasFailed = this.#failed.has(key)
    if (status === 'done') this.#failed.delete(key)
    else this.#failed.add(key)
    if (status === 'done' || !hasFailed) return false
    this.#count++
    return true
  }
}

/** Arguments may be long, and a run may make a thousand calls. */
const hashOf = ({ name, text, input = text }: LoopCall): string =>
  createHash('sha256')
    .update(JSON.stringify([name, input]))
    .digest('base64')
