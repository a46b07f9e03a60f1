import { createHash } from 'node:crypto'

const maxUseless = 5

/** Told to the model with the result of a call that failed before. */
export const repeatedNote =
  'This call failed before with the same arguments. Do not repeat it: change it, or report the error.'

export const uselessMessage = `The model made ${maxUseless} calls of tools that do not exist, or that had failed before with the same arguments.`

/** Counts the calls of a model that lead nowhere, so that it does not use up all its steps with them. */
export class UselessCalls {
  readonly #failed = new Set<string>()
  #count = 0

  get areTooMany(): boolean {
    return this.#count >= maxUseless
  }

  unknownTool(): void {
    this.#count++
  }

  /** True: the same call failed before. */
  failed(name: string, input: unknown): boolean {
    const call = hashOf(name, input)
    const isRepeated = this.#failed.has(call)
    this.#failed.add(call)
    if (isRepeated) this.#count++
    return isRepeated
  }

  worked(name: string, input: unknown): void {
    this.#failed.delete(hashOf(name, input))
  }
}

/** Arguments may be long, and a run may make a thousand calls. */
const hashOf = (name: string, input: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([name, input]))
    .digest('base64')
