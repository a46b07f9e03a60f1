import { invalidField } from '#kernel/errors'
import type { ToolCall } from './assistant.ts'
import type { JsonObject } from '../wire/json.ts'
import type { Part } from './parts.ts'

export interface ToolResult {
  call: ToolCall
  parts: Part[]
  cacheControl: JsonObject | undefined
  path: string
}

/** The calls of the last assistant message and the results that have come for them. */
export class OpenCalls {
  readonly #calls: ReadonlyMap<string, ToolCall>
  readonly #path: string
  readonly #received = new Map<string, ToolResult>()
  readonly #results: ToolResult[]

  /** Puts the results, in the order of the calls, into the given list when it is closed. */
  constructor(calls: readonly ToolCall[], path: string, results: ToolResult[]) {
    this.#calls = new Map(calls.map((call) => [call.id, call]))
    this.#path = path
    this.#results = results
  }

  addResult(id: string, result: Omit<ToolResult, 'call'>): void {
    const path = `${result.path}.tool_call_id`
    const call = this.#calls.get(id)
    if (!call) {
      throw invalidField(path, [
        'answers no tool call of the assistant message before it (',
        { path: this.#path },
        ')',
      ])
    }
    if (this.#received.has(id)) {
      throw invalidField(path, 'answers a tool call that already has a result')
    }
    this.#received.set(id, { ...result, call })
  }

  close(): void {
    const missing: string[] = []
    for (const id of this.#calls.keys()) {
      const result = this.#received.get(id)
      if (result) this.#results.push(result)
      else missing.push(id.slice(0, 64))
    }
    if (missing.length === 0) return
    const path = `${this.#path}.tool_calls`
    const more = missing.length > 8 ? ` and ${missing.length - 8} more` : ''
    throw invalidField(
      path,
      `has calls that no tool message answers: ${missing.slice(0, 8).join(', ')}${more}`,
    )
  }
}
