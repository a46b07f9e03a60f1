type Input = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that say most about a call, the most telling first. */
const telling = [
  ...['command', 'cmd', 'script', 'code', 'sql', 'pattern', 'query', 'url', 'file_path', 'filePath', 'path'],
  ...[
    'notebook_path',
    'absolute_path',
    'dir_path',
    'subagent_type',
    'skill',
    'description',
    'task',
    'prompt',
  ],
]

const maxLength = 300

/** One line that says what the call does: its command, file, pattern or address. */
export function toolSummary(input: unknown): string {
  return shortened(toolCommand(input) ?? textIn(input))
}

/** The command of a call that runs one. */
export function toolCommand(input: unknown): string | null {
  if (!isObject(input)) return null
  const command = input['command'] ?? input['cmd']
  if (typeof command === 'string') return command
  if (!Array.isArray(command)) return null
  const words = command.filter((word) => typeof word === 'string')
  // `bash -lc '…'`: the shell says nothing.
  return words.length === 3 && /^-[a-z]*c$/.test(words[1] ?? '') ? (words[2] ?? '') : words.join(' ')
}

function textIn(input: unknown): string {
  if (typeof input === 'string') return input
  if (!isObject(input)) return ''
  const names = [...telling, ...Object.keys(input)]
  const found = names.find((name) => typeof input[name] === 'string' && input[name] !== '')
  return found === undefined ? '' : String(input[found])
}

const shortened = (text: string): string => {
  const line = text
    .slice(0, 4 * maxLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}

/** Tools of an MCP server are named `mcp__server__tool`. */
export const toolTitle = (name: string): string => {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  return server === undefined ? name : `${server}: ${tool}`
}
