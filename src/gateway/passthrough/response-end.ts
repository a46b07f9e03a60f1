import { isObject, parseJson, type JsonObject } from '../wire/json.ts'

const openingBrace = 0x7b
const choices = Buffer.from('"choices"')
const error = Buffer.from('"error"')
const usage = Buffer.from('"usage"')

/**
 * The members of a good response from its usage on, which is all that is read of it: responses are long, and their
 * bytes go to the client as they are. Undefined where a full parse is needed.
 *
 * Inside a string the closing quote is escaped, so a word with both quotes is a name or a whole value. And what follows
 * is an object only if the word is the name of a member of the response itself: from deeper inside, or from a value,
 * there is a bracket too many or a colon too few.
 */
export function endOfResponse(json: Buffer): JsonObject | undefined {
  const at = json.lastIndexOf(usage)
  if (at < 0 || json[0] !== openingBrace || !json.includes(choices) || json.includes(error)) return undefined
  const end = parseJson(`{${json.toString('utf8', at)}`)
  return isObject(end) ? end : undefined
}
