import { bufferOf, isAbsent, type JsonObject } from '../wire/json.ts'
import { membersOf } from './members.ts'

/** Changes to the members of a request; whatever they do not name is sent on byte for byte. */
export interface Edits {
  readonly set?: Readonly<Record<string, unknown>>
  readonly remove?: readonly string[]
  /** Old name to new name. */
  readonly rename?: Readonly<Record<string, string>>
}

/**
 * Applies edits to the bytes of a request. Nothing to change: the same bytes. Only new members: they go in right
 * after the first brace, which needs no search at all; it is right because the parsed body says that the member is
 * absent and that another one follows. Otherwise the members are found in the bytes.
 */
export function edit(raw: Uint8Array, body: JsonObject, edits: Edits): Uint8Array {
  if (!asks(body, edits)) return raw
  const set = Object.entries(edits.set ?? {})
  const added = set.filter(([key]) => !Object.hasOwn(body, key)).map(([key, value]) => member(key, value))
  const touched = [
    ...set.map(([key]) => key),
    ...(edits.remove ?? []),
    ...Object.keys(edits.rename ?? {}),
  ].some((key) => Object.hasOwn(body, key))
  if (touched || Object.keys(body).length === 0) return rebuild(bufferOf(raw), added, edits)
  if (added.length === 0) return raw
  const rest = raw.subarray(raw.indexOf(0x7b) + 1)
  return Buffer.concat([Buffer.from(`{${added.join(',')},`), rest])
}

/** Whether there is anything to do: mostly there is not, and every request passes here. */
function asks(body: JsonObject, { set = {}, remove = [], rename = {} }: Edits): boolean {
  const has = (key: string): boolean => Object.hasOwn(body, key)
  return Object.keys(set).length > 0 || remove.some(has) || Object.keys(rename).some(has)
}

function rebuild(
  raw: Buffer,
  added: readonly string[],
  { set = {}, remove = [], rename = {} }: Edits,
): Buffer {
  const parts: Uint8Array[] = added.map((text) => Buffer.from(text))
  for (const { key, start, valueStart, end } of membersOf(raw)) {
    const renamed = Object.hasOwn(rename, key) ? rename[key] : undefined
    if (remove.includes(key)) continue
    if (Object.hasOwn(set, key)) parts.push(Buffer.from(member(key, set[key])))
    else if (!isAbsent(renamed)) {
      parts.push(Buffer.concat([Buffer.from(`${JSON.stringify(renamed)}:`), raw.subarray(valueStart, end)]))
    } else parts.push(raw.subarray(start, end))
  }
  const separated = parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(','), part]))
  return Buffer.concat([Buffer.from('{'), ...separated, Buffer.from('}')])
}

function member(key: string, value: unknown): string {
  return `${JSON.stringify(key)}:${JSON.stringify(value)}`
}
