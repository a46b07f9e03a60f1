import { isObject, parseJson } from './json.ts'

/** Members that hold what a model wrote, in the responses of all providers. */
const written = new Set([
  'content',
  'text',
  'refusal',
  'reasoning',
  'reasoning_content',
  'thinking',
  'name',
  'arguments',
])

/** The text that a model wrote in a whole response, to count tokens when the provider does not report them. */
export function writtenText(body: Buffer): string {
  const texts: string[] = []
  // Not recursive: a response may be nested deeper than the call stack.
  const rest: unknown[] = [parseJson(body.toString())]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (Array.isArray(value)) for (const each of value) rest.push(each)
    if (!isObject(value)) continue
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'string') rest.push(member)
      else if (written.has(name)) texts.push(member)
    }
  }
  return texts.join('')
}
