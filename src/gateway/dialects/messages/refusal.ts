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
  const message = error.message.replaceAll(/\bmessages\.(\d+)[\w.]*/g, (path, index: string) => {
    return origins[Number(index)] ?? path
  })
  const [head = ''] = error.param.split('.')
  const place = /^messages\.(\d+)/.exec(error.param)?.[1]
  const param = place === undefined ? (fields[head] ?? error.param) : (origins[Number(place)] ?? error.param)
  const named = Object.hasOwn(fields, head) ? `${param}: ${message}` : message
  return new Fault(faults.invalidRequest, named, { param })
}
