import { invalidField } from '#kernel/errors'
import { isAbsent, isObject, type JsonObject } from '../wire/json.ts'

/** Read by the gateway itself, whatever the provider. */
const gatewayFields = ['model', 'messages', 'stream', 'stream_options', 'metadata']

/** Values that ask for nothing. */
function isNeutral(field: string, value: unknown): boolean {
  if (isAbsent(value) || value === '') return true
  if (isObject(value)) return Object.keys(value).length === 0
  if (/_penalty$|^logprobs$|^top_logprobs$/.test(field)) return value === 0 || value === false
  return field === 'store' && value === false
}

/** Notes every field that was neither read nor refused. Names go into a header, so odd ones stay out. */
export function noteDropped(body: JsonObject, handled: ReadonlySet<string>, dropped: Set<string>): void {
  for (const [field, value] of Object.entries(body)) {
    if (handled.has(field) || gatewayFields.includes(field) || isNeutral(field, value)) continue
    if (/^[A-Za-z0-9_.-]{1,64}$/.test(field)) dropped.add(field)
  }
}

/** Fields whose loss would give the client something it did not ask for. */
export function refuseFields(body: JsonObject, reasons: Readonly<Record<string, string>>): void {
  for (const [field, reason] of Object.entries(reasons)) {
    if (!isNeutral(field, body[field])) throw invalidField(field, reason)
  }
}

export const retiredFields = {
  functions: 'is no longer used; send tools.',
  function_call: 'is no longer used; send tool_choice.',
}
