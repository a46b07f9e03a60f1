import { Fault, faults } from '#kernel/errors'

/** What chat calls the fields of this form. */
const fields: Readonly<Record<string, string>> = {
  stop: 'stop_sequences',
  reasoning_effort: 'thinking',
  reasoning: 'thinking',
  response_format: 'output_config.format',
  parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
}

/** A refusal of the chat request that was made, in the names of the request that came. */
export function inClientNames(error: unknown, origins: readonly string[]): unknown {
  if (!(error instanceof Fault) || error.status !== 400 || error.param === null) return error
  const [head = ''] = error.param.split('.')
  const message = renamed(error.message, origins)
  if (!Object.hasOwn(fields, head))
    return new Fault(faults.invalidRequest, message, { param: renamed(error.param, origins) })
  const param = fields[head] ?? head
  return new Fault(faults.invalidRequest, `${param}: ${message}`, { param })
}

/** Messages are named by those they were made from; where in them chat has its parts would mislead. */
function renamed(text: string, origins: readonly string[]): string {
  return text
    .replaceAll(/\bmessages\.(\d+)[\w.]*\w/g, (path, index: string) => origins[Number(index)] ?? path)
    .replaceAll(/\b(tools\.\d+|tool_choice)\.function\b/g, '$1')
    .replaceAll(/\b(tools\.\d+)\.parameters\b/g, '$1.input_schema')
}
