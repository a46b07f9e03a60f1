import type { RecordedRequest, Reply } from '../fake-provider/index.ts'
import { isObject, listOf, objectOf, textOf } from '../fake-provider/json.ts'

/** What the model is asked, the command it then calls for, and what only the command's output holds. */
export const question = 'Run the command of the day with your shell and tell me what it printed.'
const command = 'echo MARK-$((40+2))'
const printed = 'MARK-42'
export const conclusion = `It printed ${printed}.`

/** A model that runs one command with whichever shell its agent offers, and says what came of it. */
export function commandingModel(request: RecordedRequest): Reply {
  const text = request.body.toString()
  // The newest fields of these agents are the providers' business, and go to them as they came.
  if (text.includes(printed)) return { text: conclusion, unchecked: true }
  if (!text.includes('command of the day')) return { text: 'Well.', unchecked: true }
  if (text.includes('"additional_tools"')) return { frames: scriptFrames(), unchecked: true }
  const shell = namesIn(request.json).find((name) => Object.hasOwn(shells, name))
  if (shell === undefined) return { text: 'A title', unchecked: true }
  return { text: 'I will.', toolCalls: [{ name: shell, arguments: shells[shell] }], unchecked: true }
}

const shells: Record<string, object> = {
  Bash: { command, description: 'The command of the day' },
  bash: { command, description: 'The command of the day' },
  exec_command: { cmd: command },
}

function namesIn(body: unknown): string[] {
  return listOf(objectOf(body)['tools'])
    .filter(isObject)
    .flatMap((tool) => [
      tool,
      objectOf(tool['function']),
      ...listOf(tool['functionDeclarations']).map(objectOf),
    ])
    .map((tool) => textOf(tool['name']))
}

/** Codex offers OpenAI's own models one tool, which takes a script and no JSON. */
function scriptFrames(): string[] {
  const input = `text(await tools.exec_command({ cmd: '${command}' }))`
  const item = {
    type: 'custom_tool_call',
    id: 'ctc_1',
    call_id: 'call_1',
    status: 'completed',
    namespace: 'functions',
    name: 'exec',
    input,
  }
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  }
  const response = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] }
  return [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, input: '' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
  ].map(
    (event, index) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`,
  )
}
