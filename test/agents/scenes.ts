import type { RecordedRequest, Reply } from '../fake-provider/index.ts'
import { isObject, arrayOf, objectOf, stringOf } from '../fake-provider/json.ts'

/** A question to an agent, and a model that needs one of the agent's tools to answer it. */
export interface Scene {
  name: string
  question: string
  conclusion: string
  reply(request: RecordedRequest): Reply
}

interface Plot {
  name: string
  /** Words of the question that distinguish a request from those that an agent makes for itself. */
  about: string
  /** What only the result of the tool holds, in one of its forms. */
  proofs: readonly string[]
  conclusion: string
  /** Arguments for whichever of these tools the agent offers. */
  tools: Record<string, object>
  /** For Codex, which offers OpenAI's own models one tool that takes a script and no JSON. */
  script: string
}

/** The result is not in the command; Gemini CLI refuses commands with a substitution. */
const command = 'printf MARK-%d 0x2a'

const runsCommand: Plot = {
  name: 'runs a command',
  about: 'the command of the day',
  proofs: ['MARK-42'],
  conclusion: 'It printed MARK-42.',
  tools: {
    Bash: { command, description: 'The command of the day' },
    bash: { command, description: 'The command of the day' },
    exec_command: { cmd: command },
    run_shell_command: { command, description: 'The command of the day', is_background: false },
    run_commands: { commands: [command] },
  },
  script: `text(await tools.exec_command({ cmd: '${command}' }))`,
}

const looksAtPicture = (file: string): Plot => ({
  name: 'looks at a picture',
  about: `the picture ${file}`,
  // How a PNG begins in base64, and a JPEG, into which some agents turn it.
  proofs: ['iVBORw0KGgo', '/9j/2wBD', '/9j/4AAQ'],
  conclusion: 'It is red.',
  tools: {
    Read: { file_path: file },
    read: { filePath: file, path: file },
    view_image: { path: file },
    read_file: { file_path: file },
    view: { path: file },
    read_files: { files: [{ path: file }] },
  },
  script: `image(await tools.view_image({ path: '${file}' }))`,
})

export function scenesWith(picture: string): Scene[] {
  return [runsCommand, looksAtPicture(picture)].map((plot) => ({
    name: plot.name,
    question: `Use your tools for ${plot.about}, and tell me what came of it.`,
    conclusion: plot.conclusion,
    reply: (request) => replyTo(request, plot),
  }))
}

function replyTo(request: RecordedRequest, { about, proofs, conclusion, tools, script }: Plot): Reply {
  const text = request.body.toString()
  if (proofs.some((proof) => text.includes(proof))) return { text: conclusion }
  if (text.includes('"additional_tools"')) return { frames: scriptFrames(script) }
  const tool = namesIn(request.json).find((name) => Object.hasOwn(tools, name))
  if (tool === undefined || !text.includes(about)) return { text: 'A title' }
  return { text: 'I will.', toolCalls: [{ name: tool, arguments: tools[tool] }] }
}

export function namesIn(body: unknown): string[] {
  return arrayOf(objectOf(body)['tools'])
    .filter(isObject)
    .flatMap((tool) => [
      tool,
      objectOf(tool['function']),
      ...arrayOf(tool['functionDeclarations']).map(objectOf),
    ])
    .map((tool) => stringOf(tool['name']))
}

function scriptFrames(input: string): string[] {
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
