import { arrayOf, objectOf, parseJson, stringOf, type JsonObject } from '../wire/json.ts'
import { SseParser } from '../wire/sse.ts'

/** Without its first quote: the search is several times faster when the first letter is a rare one. */
const deltaStart = 'delta":{'
const role = '"role":"assistant",'
const contentStart = '"content":"'

/** The text in chat-completion chunks. The common one, a delta with nothing but content, is cut out; others are parsed. */
export function chatText(events: string): string {
  let text = ''
  let escaped = ''
  for (let start = 0; start < events.length;) {
    const blank = events.indexOf('\n\n', start)
    const end = blank < 0 ? events.length : blank + 2
    const event = events.slice(start, end)
    const content = plainContent(event)
    if (content === undefined) {
      text += unescaped(escaped) + parsedText(event)
      escaped = ''
    } else escaped += content
    start = end
  }
  return text + unescaped(escaped)
}

/** The content of an event, still escaped; undefined when the event has any other shape. */
function plainContent(event: string): string | undefined {
  const delta = event.indexOf(deltaStart)
  if (delta < 0 || event[delta - 1] !== '"') return undefined
  let at = delta + deltaStart.length
  if (event.startsWith(role, at)) at += role.length
  if (!event.startsWith(contentStart, at)) return undefined
  const start = at + contentStart.length
  const end = event.indexOf('"', start)
  // An escaped quote, another member of the delta, or another choice: leave it to the parser.
  if (event[end - 1] === '\\' || event[end + 1] !== '}' || event.includes('delta"', end)) return undefined
  return event.slice(start, end)
}

/** Pieces of JSON strings join to a JSON string; even half an emoji in each of two chunks becomes whole. */
function unescaped(escaped: string): string {
  return escaped === '' ? '' : stringOf(parseJson(`"${Buffer.from(escaped, 'latin1').toString()}"`))
}

function parsedText(event: string): string {
  return new SseParser()
    .push(Buffer.from(event, 'latin1'))
    .flatMap(({ data }) => arrayOf(objectOf(parseJson(data))['choices']))
    .map((choice) => deltaText(objectOf(objectOf(choice)['delta'])))
    .join('')
}

function deltaText(delta: JsonObject): string {
  const calls = arrayOf(delta['tool_calls']).map((call) => objectOf(objectOf(call)['function']))
  return [
    // Where both names for reasoning are sent, they hold the same text.
    stringOf(delta['reasoning_content']) || stringOf(delta['reasoning']),
    stringOf(delta['content']),
    stringOf(delta['refusal']),
    ...calls.map((target) => stringOf(target['name']) + stringOf(target['arguments'])),
  ].join('')
}
