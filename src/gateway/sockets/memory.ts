import { objectOf, stringOf, type JsonObject } from '../wire/json.ts'
import type { ByteBudget } from './limits.ts'

interface Remembered {
  readonly id: string
  readonly items: readonly unknown[]
  readonly bytes: number
}

/**
 * The last response of a connection with all that led to it, so that the next message needs to hold only what is new.
 * It ends with the connection, and nothing of it is stored.
 */
export class ResponseMemory {
  readonly #budget: ByteBudget
  #last: Remembered | undefined

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** Undefined where the response is not, or no longer, known. */
  itemsOf(id: string): readonly unknown[] | undefined {
    return this.#last?.id === id ? this.#last.items : undefined
  }

  /** Where the memory of the process is used up, nothing is kept: the client then sends the whole conversation. */
  keep(id: string, input: readonly unknown[], output: readonly unknown[]): void {
    this.clear()
    const items = [...input, ...output.flatMap(asInput)]
    const bytes = Buffer.byteLength(JSON.stringify(items))
    if (this.#budget.change(0, bytes)) this.#last = { id, items, bytes }
  }

  forget(id: string): void {
    if (this.#last?.id === id) this.clear()
  }

  clear(): void {
    this.#budget.change(this.#last?.bytes ?? 0, 0)
    this.#last = undefined
  }
}

const namedByProvider = new Set(['message', 'function_call', 'custom_tool_call'])

/**
 * An item of a response that was not stored, as the next request may have it: the provider knows neither its ID nor
 * reasoning that is not in the item itself.
 */
function asInput(item: unknown): JsonObject[] {
  const { id: _id, ...rest } = objectOf(item)
  const type = stringOf(rest['type'])
  if (type === 'reasoning' && stringOf(rest['encrypted_content']) === '') return []
  return [namedByProvider.has(type) ? rest : objectOf(item)]
}
