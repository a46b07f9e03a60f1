import { invalid } from '#kernel/errors'
import type { ClientHeaders } from '../../api.ts'

/** The API version and the beta features of the client. No other header is sent to the provider. */
const carried = {
  'anthropic-version': /^[\w.-]{1,64}$/,
  'anthropic-beta': /^[\w.:, -]{1,4096}$/,
} as const

/** Whether a client of this API asks, on whatever route. */
export function isMessagesClient(headers: ClientHeaders): boolean {
  return headers['anthropic-version'] !== undefined
}

export function readHeaders(headers: ClientHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, pattern] of Object.entries(carried)) {
    const value = headers[name]
    if (value === undefined || value === '') continue
    if (typeof value !== 'string' || !pattern.test(value))
      throw invalid(`The header ${name} is not valid.`, name)
    kept[name] = value
  }
  return kept
}
