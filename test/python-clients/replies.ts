import { sample } from '../fake-provider/sample.ts'
import type { RecordedRequest, Reply } from '../fake-provider/index.ts'

/** What a model would call for a question of LangChain's suite; without this, the fake calls tools only when told so literally. */
const calls = [
  { asked: 'magic_function(3)', name: 'magic_function', arguments: { input: 3 } },
  { asked: 'magic_function_no_args()', name: 'magic_function_no_args', arguments: {} },
  {
    asked: 'What is the weather in San Francisco',
    name: 'get_weather',
    arguments: { location: 'San Francisco' },
  },
  {
    asked: '你好啊集团',
    name: 'unicode_customer',
    arguments: { customer_name: '你好啊集团', description: 'A Chinese technology company' },
  },
  {
    asked: 'こんにちは株式会社',
    name: 'unicode_customer',
    arguments: { customer_name: 'こんにちは株式会社', description: 'A Japanese company' },
  },
]

const hasResult = /"role":"tool"|"type":"(?:tool_result|function_call_output)"|"functionResponse"/
/** What the gateway says to a model that cannot be forced. */
const forced = /Respond by calling (?:the tool (?<name>[\w-]+)|at least one of the tools)/

/** As the model would respond; what is left open here, the fake decides. */
export function replyTo({ body, json }: RecordedRequest): Reply {
  const text = body.toString()
  if (hasResult.test(text)) return {}
  const call = calls.find(({ asked, name }) => text.includes(asked) && text.includes(`"${name}"`))
  if (call) return { toolCalls: [call] }
  if (text.includes("JSON with 'setup' and 'punchline' keys"))
    return { text: JSON.stringify({ setup: 'Why?', punchline: 'Because.' }) }
  return forced.test(text) ? { toolCalls: [forcedCall(text, json)] } : {}
}

function forcedCall(text: string, json: unknown) {
  const { tools } = json as { tools: { name: string; input_schema: unknown }[] }
  const name = forced.exec(text)?.groups?.['name']
  const tool = tools.find((each) => each.name === name) ?? tools[0]
  return { name: tool?.name ?? '', arguments: sample(tool?.input_schema) }
}
