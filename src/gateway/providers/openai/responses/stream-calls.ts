import { stringOf, type JsonObject } from '../../../wire/json.ts'
import { toolCall } from './output.ts'

interface Call {
  readonly index: number
  readonly type: string
  hasArguments: boolean
}

/**
 * Tool calls of a stream. Each gets its own index from 0; id and name go out once, with the first piece, because
 * clients join the pieces by index. A call may also come whole, in its closing event or only in the final one.
 */
export class StreamedCalls {
  readonly #byItem = new Map<string, Call>()
  readonly #byCallId = new Map<string, Call>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** The first piece; nothing for an item that is no call or is known already. */
  begin(item: JsonObject, event: JsonObject): JsonObject[] {
    const whole = toolCall(item)
    if (!whole || this.#known(item, event)) return []
    const call: Call = { index: this.#count++, type: stringOf(whole['type']), hasArguments: false }
    this.#byCallId.set(stringOf(item['call_id']), call)
    for (const key of keysOf(stringOf(item['id']), event)) this.#byItem.set(key, call)
    const name = stringOf(item['name'])
    const target =
      call.type === 'custom' ? { custom: { name, input: '' } } : { function: { name, arguments: '' } }
    return [{ index: call.index, ...whole, ...target }]
  }

  more(event: JsonObject): JsonObject[] {
    const delta = stringOf(event['delta'])
    const key = keysOf(stringOf(event['item_id']), event).find((each) => this.#byItem.has(each))
    const call = key === undefined ? undefined : this.#byItem.get(key)
    return call && delta !== '' ? [piece(call, delta)] : []
  }

  /** Whatever of a whole call has not gone out yet. */
  complete(item: JsonObject, event: JsonObject): JsonObject[] {
    const begun = this.begin(item, event)
    const call = this.#known(item, event)
    if (!call || call.hasArguments) return begun
    const text = call.type === 'custom' ? stringOf(item['input']) : stringOf(item['arguments']) || '{}'
    return [...begun, piece(call, text)]
  }

  /** Some models give several calls the same id: an item with an id and a place of its own is another call. */
  #known(item: JsonObject, event: JsonObject): Call | undefined {
    const [id, place] = [stringOf(item['id']), event['output_index']]
    if (id !== '' && this.#byItem.has(id)) return this.#byItem.get(id)
    const isElsewhere = id !== '' && typeof place === 'number' && !this.#byItem.has(`at ${place}`)
    return isElsewhere ? undefined : this.#byCallId.get(stringOf(item['call_id']))
  }
}

function piece(call: Call, text: string): JsonObject {
  call.hasArguments = true
  const { index, type } = call
  return type === 'custom' ? { index, custom: { input: text } } : { index, function: { arguments: text } }
}

/** Events name the item by its id, its place, or both. */
function keysOf(itemId: string, event: JsonObject): string[] {
  const place = event['output_index']
  return [...(itemId === '' ? [] : [itemId]), ...(typeof place === 'number' ? [`at ${place}`] : [])]
}
