import { numberOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { countInput, emptyPrompt } from '../prompt.ts'
import type { Prompt } from '../prompt.ts'
import { contentText } from './chat-prompt.ts'

/** Reads a Responses request; Perplexity's Agent API takes the same input items. */
export function readResponsesPrompt(body: JsonObject, reasoning: Prompt['reasoning']): Prompt {
  const { input } = body
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input)
  const user = items.findLast((item) => objectOf(item)['role'] === 'user')
  const content = objectOf(user)['content']
  const parts = objectsOf(content)
  const lastOther = items.findLastIndex((item) => objectOf(item)['type'] !== 'function_call_output')
  const format = objectOf(objectOf(body['text'])['format'])
  return {
    ...emptyPrompt,
    model: stringOf(body['model']),
    text: contentText(content),
    images: parts.filter((part) => part['type'] === 'input_image').length,
    documents: parts.filter((part) => part['type'] === 'input_file').length,
    tools: objectsOf(body['tools'])
      .filter((tool) => tool['type'] === 'function')
      .map((tool) => ({ name: stringOf(tool['name']), schema: tool['parameters'] ?? { type: 'object' } })),
    toolChoice: readChoice(body['tool_choice']),
    parallel: body['parallel_tool_calls'] !== false,
    toolResults: items.slice(lastOther + 1).map((item) => outputText(objectOf(item)['output'])),
    json: readFormat(format),
    maxTokens: numberOf(body['max_output_tokens']),
    reasoning,
    inputTokens: countInput([body['instructions'], items, body['tools']]),
  }
}

function readFormat(format: JsonObject): Prompt['json'] {
  if (format['type'] === 'json_object') return 'object'
  return format['type'] === 'json_schema' ? { schema: format['schema'] } : undefined
}

function outputText(output: unknown): string {
  return typeof output === 'string' ? output : contentText(output)
}

function readChoice(choice: unknown): Prompt['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice
  const name = stringOf(objectOf(choice)['name'])
  return name === '' ? 'auto' : { name }
}
