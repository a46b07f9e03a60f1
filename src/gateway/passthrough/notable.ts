import { arrayOf, isAbsent, objectOf, type JsonObject } from '../wire/json.ts'

/** OpenAI puts `"usage":null` into every chunk but the one that counts. */
const usageOrError = /"(?:usage"[\s:]*\{|error")/
const namesError = /^event: ?error/m

/**
 * Where the first sign of usage or an error stands; -1 when there is none. Runs for every piece of every stream, so it parses nothing. Words
 * inside the model's text cannot mislead it: there the closing quote is escaped. The search for an error event
 * leaves out the first letter, because a rarer first letter makes it several times faster.
 */
export function findNotable(events: string): number {
  const first = events.search(usageOrError)
  const error = events.includes('vent:') ? events.search(namesError) : -1
  return first < 0 || error < 0 ? Math.max(first, error) : Math.min(first, error)
}

/** A chunk that would tell the client nothing but usage. */
export function saysOnlyUsage(chunk: JsonObject): boolean {
  return arrayOf(chunk['choices']).every((each) => {
    const { finish_reason: finish, delta, message } = objectOf(each)
    return isAbsent(finish) && isAbsent(message) && Object.entries(objectOf(delta)).every(isSilent)
  })
}

function isSilent([key, value]: [string, unknown]): boolean {
  return key === 'role' || isAbsent(value) || value === '' || (Array.isArray(value) && value.length === 0)
}
