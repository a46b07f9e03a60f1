import { invalidField, type Reason } from '#kernel/errors'
import { marked } from './blocks.ts'
import type { Block } from './blocks.ts'
import type { Conversation } from '../../chat/conversation.ts'
import type { Dropped } from '../../wire/dropped.ts'
import type { JsonObject } from '../../wire/json.ts'
import { optionalObject } from '../../wire/request-json.ts'
import { ToolNames } from '../../chat/tool-names.ts'
import type { Tool, ToolSetting } from '../../chat/tools.ts'
import type { ClaudeContext } from './messages.ts'
import { isOpenSchema, toStrictSchema } from './schema.ts'

export interface ClaudeToolFields {
  tools?: Block[]
  tool_choice?: Block
}

export interface ClaudeTools {
  fields: ClaudeToolFields
  /** Asks for the call in words, where the model cannot be made to call a tool. */
  instruction: string | undefined
}

export function claudeNames(): ToolNames {
  return new ToolNames(/^[a-zA-Z0-9_-]{1,128}$/, (name) =>
    name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128),
  )
}

export function toToolFields(
  setting: ToolSetting,
  body: JsonObject,
  conversation: Conversation,
  context: ClaudeContext & { thinksOnBudget: string | undefined },
): ClaudeTools {
  const { names, dropped } = context
  const tools = setting.tools.map((tool) => toTool(tool, names, dropped))
  const search = optionalObject(body['web_search_options'], 'web_search_options')
  if (search) tools.push(searchTool(search))
  if (setting.tools.length === 0) {
    const called = calledNames(conversation)
    if (called.size === 0) return asked(tools.length > 0 ? { tools } : {})
    // A history with calls needs tools; these are there to be remembered, not to be called.
    for (const name of called) tools.push({ name: names.toProvider(name), input_schema: { type: 'object' } })
    return asked(search ? { tools } : { tools, tool_choice: { type: 'none' } })
  }
  const { choice } = setting
  const isForced = choice === 'required' || typeof choice === 'object'
  const obstacle = isForced ? whyUnforced(context) : undefined
  if (obstacle !== undefined) dropped.adapt('tool_choice', obstacle)
  const chosen = toChoice(obstacle === undefined ? setting : { ...setting, choice: 'auto' }, names)
  return asked(
    chosen ? { tools, tool_choice: chosen } : { tools },
    obstacle === undefined ? undefined : instructionFor(choice, names),
  )
}

function asked(fields: ClaudeToolFields, instruction?: string): ClaudeTools {
  return { fields, instruction }
}

function whyUnforced({ can, model, thinksOnBudget }: Parameters<typeof toToolFields>[3]): Reason | undefined {
  if (!can.forcedTools) return `cannot force ${model} to call a tool: use auto`
  if (thinksOnBudget === undefined) return undefined
  return ['cannot force a call while ', { path: thinksOnBudget }, ' is on']
}

function instructionFor(choice: ToolSetting['choice'], names: ToolNames): string {
  const which =
    typeof choice === 'object' ? `the tool ${names.toProvider(choice.name)}` : 'at least one of the tools'
  return `Respond by calling ${which}. Do not respond with text instead of the call.`
}

function calledNames({ turns }: Conversation): Set<string> {
  const names = new Set<string>()
  for (const turn of turns) {
    if (turn.role === 'assistant') for (const call of turn.calls) names.add(call.name)
  }
  return names
}

function toTool(tool: Tool, names: ToolNames, dropped: Dropped): Block {
  const parameters = tool.parameters ?? { type: 'object', properties: {} }
  const type = parameters['type'] ?? 'object'
  const path = `${tool.path}.function.parameters`
  if (type !== 'object') throw invalidField(`${path}.type`, 'must be object')
  // A strict tool whose schema cannot be enforced is better offered unenforced than not at all.
  const isStrict = tool.isStrict && !isOpenSchema(parameters)
  if (tool.isStrict && !isStrict) dropped.add('tools.function.strict')
  const block: Block = { name: names.toProvider(tool.name) }
  if (tool.description !== undefined) block['description'] = tool.description
  block['input_schema'] = isStrict ? toStrictSchema(parameters, path) : { ...parameters, type }
  if (isStrict) block['strict'] = true
  return marked(block, tool.cacheControl)
}

function searchTool(options: JsonObject): Block {
  const path = 'web_search_options.user_location'
  const location = optionalObject(options['user_location'], path)
  const approximate = location && optionalObject(location['approximate'], `${path}.approximate`)
  const place = approximate ? { user_location: { ...approximate, type: 'approximate' } } : {}
  return { type: 'web_search_20250305', name: 'web_search', ...place }
}

function toChoice({ choice, isParallel }: ToolSetting, names: ToolNames): Block | undefined {
  const single = isParallel ? {} : { disable_parallel_tool_use: true }
  if (choice === 'none') return { type: 'none' }
  if (choice === undefined || choice === 'auto') {
    return choice === undefined && isParallel ? undefined : { type: 'auto', ...single }
  }
  if (choice === 'required') return { type: 'any', ...single }
  return { type: 'tool', name: names.toProvider(choice.name), ...single }
}
