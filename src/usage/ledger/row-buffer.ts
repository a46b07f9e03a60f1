import { BoundedCache } from '#kernel/cache'
import type { LedgerRow, PriceRow } from '../row.ts'
import { ensureCapacity } from './frame.ts'

/** The position of a row in a `RowBuffer`. */
export interface WrittenRow {
  id: string
  start: number
  end: number
  newPrices: readonly PriceRow[]
}

const initialBytes = 256 * 1024
const maxKeptBytes = 4 * initialBytes
const codes = { comma: 0x2c, opening: 0x5b, closing: 0x5d }

/** Rows as the JSON that is sent to PostgreSQL. The bytes are reused, by one delivery at a time. */
export class RowBuffer {
  #bytes = Buffer.allocUnsafe(initialBytes)
  #length = 0

  add(row: LedgerRow): WrittenRow {
    const json = writeRow(row)
    this.#bytes = ensureCapacity(this.#bytes, this.#length, json.length * 3 + 2)
    // One byte is reserved before each row and after the last one, for the brackets and commas of an array.
    const start = this.#length + 1
    const end = start + this.#bytes.write(json, start, 'utf8')
    this.#length = end
    return { id: row.id, start, end, newPrices: row.new_prices }
  }

  textOf({ start, end }: WrittenRow): string {
    return this.#bytes.toString('utf8', start, end)
  }

  /** Consecutive rows as a JSON array; valid until the next call. */
  arrayOf(rows: readonly WrittenRow[]): Buffer {
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) return Buffer.from('[]')
    const bytes = this.#bytes
    for (const { start } of rows) bytes[start - 1] = codes.comma
    bytes[first.start - 1] = codes.opening
    bytes[last.end] = codes.closing
    return bytes.subarray(first.start - 1, last.end + 1)
  }

  clear(): void {
    this.#length = 0
    // A few very long rows must not keep their memory for ever.
    if (this.#bytes.length > maxKeptBytes) this.#bytes = Buffer.allocUnsafe(initialBytes)
  }
}

/**
 * Hand-written because every request needs it: it takes half the time of JSON.stringify. Most nulls and zeros are
 * omitted, which is almost half of the JSON. Values that need no escaping come first, numbers included, which
 * PostgreSQL reads from strings; each of them begins by closing the one before it.
 */
function writeRow(row: LedgerRow): string {
  let json = `{"id":"${row.id}","group_id":"${row.group_id}`
  if (row.api_key_id !== null) json += `","api_key_id":"${row.api_key_id}`
  if (row.provider_key_id !== null) json += `","provider_key_id":"${row.provider_key_id}`
  if (row.price_id !== null) json += `","price_id":"${row.price_id}`
  json += `","started_at":"${row.started_at}","ended_at":"${row.ended_at}","duration_ms":"${row.duration_ms}`
  if (row.ttft_ms !== null) json += `","ttft_ms":"${row.ttft_ms}`
  if (row.upstream_ms !== null) json += `","upstream_ms":"${row.upstream_ms}`
  if (row.attempt_count !== null) json += `","attempt_count":"${row.attempt_count}`
  json += `","status_code":"${row.status_code}","streamed":"${row.streamed}","usage_source":"${row.usage_source}`
  json += writeTokens(row)
  if (row.input_cost !== null) json += `","input_cost":"${row.input_cost}`
  if (row.output_cost !== null) json += `","output_cost":"${row.output_cost}`
  if (row.stated_cost !== null) json += `","stated_cost":"${row.stated_cost}`
  json += `","model":${quoted(row.model)},"endpoint":${quoted(row.endpoint)}`
  if (row.provider !== null) json += `,"provider":${quoted(row.provider)}`
  if (row.user_label !== null) json += `,"user_label":${JSON.stringify(row.user_label)}`
  if (row.session_key !== null) json += `,"session_key":${JSON.stringify(row.session_key)}`
  if (row.subagent_key !== null) json += `,"subagent_key":${JSON.stringify(row.subagent_key)}`
  if (row.upstream_request_id !== null)
    json += `,"upstream_request_id":${JSON.stringify(row.upstream_request_id)}`
  if (row.error_message !== null) json += `,"error_message":${JSON.stringify(row.error_message)}`
  if (row.units !== null) json += `,"units":${JSON.stringify(row.units)}`
  if (row.route !== null) json += `,"route":${JSON.stringify(row.route)}`
  if (row.attempts !== null) json += `,"attempts":${JSON.stringify(row.attempts)}`
  if (row.metadata !== null) json += `,"metadata":${JSON.stringify(row.metadata)}`
  return `${json}}`
}

function writeTokens(row: LedgerRow): string {
  let json = `","prompt_tokens":"${row.prompt_tokens}","completion_tokens":"${row.completion_tokens}`
  if (row.cached_tokens > 0) json += `","cached_tokens":"${row.cached_tokens}`
  if (row.cache_write_tokens > 0) json += `","cache_write_tokens":"${row.cache_write_tokens}`
  if (row.cache_write_long_tokens > 0) json += `","cache_write_long_tokens":"${row.cache_write_long_tokens}`
  if (row.reasoning_tokens > 0) json += `","reasoning_tokens":"${row.reasoning_tokens}`
  if (row.audio_input_tokens > 0) json += `","audio_input_tokens":"${row.audio_input_tokens}`
  if (row.audio_output_tokens > 0) json += `","audio_output_tokens":"${row.audio_output_tokens}`
  return json
}

/** There are few different names, and every row has some. */
const quotedNames = new BoundedCache<string, string>('quoted_names', 1_000)

function quoted(name: string): string {
  const before = quotedNames.get(name)
  if (before !== undefined) return before
  const text = JSON.stringify(name)
  // A name may be a slice that keeps a very long string in memory, so a copy is stored.
  quotedNames.set(JSON.parse(text) as string, text)
  return text
}
