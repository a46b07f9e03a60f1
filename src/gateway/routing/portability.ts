import { arrayOf, bufferOf, isAbsent, isObject, type JsonObject } from '../wire/json.ts'

/** Where else a request may go: only to the `key` that knows its files, only to the same `provider`, or `anywhere`. */
export type Bound = 'key' | 'provider' | 'anywhere'

/** Fields of a request that name what the provider keeps for an account. */
const accountFields = ['previous_response_id', 'conversation', 'container']
/** The same inside of it. A quoted word in the bytes is a name or a whole value, never a part of a text. */
const accountMarks = ['"file_id"', '"file_ids"', '"file_uri"', '"vector_store_ids"', '"item_reference"']

/** What only the provider that wrote it can read. */
const sealMarks = [
  'signalbox.v1.',
  '"encrypted_content"',
  '"redacted_thinking"',
  '"reasoning.encrypted"',
  '"thought_signature"',
  '"signature":"',
  '"signature": "',
]

/** Tools that run at the client; all others run at the provider, each with its own. */
const clientTools = new Set<unknown>([undefined, 'function', 'custom'])

/** Rather bound than broken: a conversation that continues elsewhere without a part of it looks complete, and is not. */
export function boundTo({ raw, body }: { raw: Uint8Array; body: JsonObject }): Bound {
  const bytes = bufferOf(raw)
  if (accountFields.some((field) => !isAbsent(body[field]))) return 'key'
  if (accountMarks.some((mark) => bytes.includes(mark))) return 'key'
  if (sealMarks.some((mark) => bytes.includes(mark))) return 'provider'
  if (!isAbsent(body['web_search_options']) || !isAbsent(body['mcp_servers'])) return 'provider'
  const isServerTool = (tool: unknown): boolean => isObject(tool) && !clientTools.has(tool['type'])
  return arrayOf(body['tools']).some(isServerTool) ? 'provider' : 'anywhere'
}
