import { isOther } from '../../chat/streamed-call-id.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import { isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import type { BlockWriter } from './block-writer.ts'
import { toolUse } from './response-parts.ts'

interface Call {
  readonly key: string
  id: string
  name: string
  /** All arguments so far, and context many characters of them are written. */
  arguments: string
  written: number
  state: 'waiting' | 'open' | 'closed'
}

/**
 * Calls of a chat stream as blocks that follow each other. Chat may send pieces of several calls by turns: the first
 * is written as it comes, the next ones wait until the one before them is whole.
 */
export class StreamedCalls {
  readonly #names: ToolNames
  readonly #calls = new Map<string, Call>()
  /** The latest call of each index. */
  readonly #byIndex = new Map<string, string>()
  #last = ''

  constructor(names: ToolNames) {
    this.#names = names
  }

  get count(): number {
    return this.#calls.size
  }

  /** Takes a piece of a call; gives the id of the call. */
  add(piece: JsonObject): string {
    const target = objectOf(piece['function'])
    const key = this.#keyOf(piece)
    const call = this.#calls.get(key) ?? startCall(key)
    this.#calls.set(key, call)
    this.#last = key
    call.id ||= stringOf(piece['id'])
    call.name ||= stringOf(target['name'])
    call.arguments += stringOf(target['arguments'])
    return call.id
  }

  /** An open call may still get arguments: no other block may end it. */
  get isUnfinished(): boolean {
    return [...this.#calls.values()].some((call) => call.state !== 'closed')
  }

  /** Writes what may be written now. What comes next shows whether a call that looks complete is complete. */
  write(blocks: BlockWriter, next: 'calls' | 'words' | 'nothing'): string {
    let out = ''
    for (const call of this.#calls.values()) {
      if (call.state === 'closed') continue
      if (call.state === 'waiting') {
        if (call.name === '' && next !== 'nothing') break
        call.state = 'open'
        out += blocks.begin(`call ${call.key}`, toolUse(call.id, this.#names.toClient(call.name), {}))
      }
      const text = call.arguments.slice(call.written)
      call.written = call.arguments.length
      if (text !== '') out += blocks.delta({ type: 'input_json_delta', partial_json: text })
      const isFollowed = next === 'words' || this.#last !== call.key
      const isWhole = next === 'nothing' || (isFollowed && isObject(parseJson(call.arguments)))
      if (!isWhole) break
      call.state = 'closed'
      out += blocks.close()
    }
    return out
  }

  /** By the index, as it should be; servers that leave it out name each new call by its id. */
  #keyOf(piece: JsonObject): string {
    const id = stringOf(piece['id'])
    if (typeof piece['index'] !== 'number') return id || this.#last
    const index = String(piece['index'])
    const known = this.#byIndex.get(index) ?? index
    const name = stringOf(objectOf(piece['function'])['name'])
    const key = isOther(this.#calls.get(known)?.id ?? '', id, name) ? `${index} ${id}` : known
    this.#byIndex.set(index, key)
    return key
  }
}

function startCall(key: string): Call {
  return { key, id: '', name: '', arguments: '', written: 0, state: 'waiting' }
}
