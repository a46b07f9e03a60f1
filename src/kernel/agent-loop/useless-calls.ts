import { createHash } from 'node:crypto'
import type { LoopCall, Outcome } from './tool.ts'

const maxUseless = 5

export const uselessMessage = `The model made ${maxUseless} calls of tools that do not exist, or that had failed before with the same arguments.`

/** Counts the calls of a model that lead nowhere, so that it does not use up all its steps with them. */
export class UselessCalls {
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
