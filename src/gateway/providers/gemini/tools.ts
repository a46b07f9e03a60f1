import { invalidField } from '#kernel/errors'
import type { JsonObject } from '../../wire/json.ts'
import { optionalObject } from '../../wire/request-json.ts'
import { ToolNames } from '../../chat/tool-names.ts'
import type { Tool, ToolSetting } from '../../chat/tools.ts'
import type { GeminiCapabilities } from './models.ts'
import { toGeminiSchema } from './schema.ts'

export interface GeminiToolFields {
  tools?: unknown[]
  toolConfig?: Record<string, unknown>
}

export function geminiNames(): ToolNames {
  return new ToolNames(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/, (name) =>
    name
      .replaceAll(/[^A-Za-z0-9_.:-]/g, '_')
      .replace(/^(?![A-Za-z_])/, '_')
      .slice(0, 128),
  )
}

interface ToolContext {
  names: ToolNames
  can: GeminiCapabilities
  dropped: Set<string>
  /** The response must be JSON. */
  isJson: boolean
}

export function toToolFields(setting: ToolSetting, body: JsonObject, context: ToolContext): GeminiToolFields {
  const search = optionalObject(body['web_search_options'], 'web_search_options')
  const { tools, choice } = setting
  const { can, isJson, dropped } = context
  const offered: unknown[] = []
  if (tools.length > 0)
    offered.push({ functionDeclarations: tools.map((tool) => toDeclaration(tool, context)) })
  if (search) {
    for (const option of Object.keys(search)) dropped.add(`web_search_options.${option.slice(0, 32)}`)
    offered.push({ googleSearch: {} })
  }
  if (offered.length === 0) return {}
  if (tools.length === 0) return { tools: offered }
  const isFree = choice === undefined || choice === 'auto'
  if (isJson && (can.generation < 3 || !isFree)) {
    throw invalidField(
      'response_format',
      can.generation < 3
        ? ['cannot be JSON while ', { path: 'tools' }, ' are offered to this model']
        : ['cannot be JSON unless ', { path: 'tool_choice' }, ' is auto'],
    )
  }
  if (search && can.generation < 3) {
    throw invalidField('web_search_options', [
      'cannot be combined with ',
      { path: 'tools' },
      ' on this model',
    ])
  }
  const calling = toCalling(setting, context, search !== undefined)
  const mixed = search ? { includeServerSideToolInvocations: true } : {}
  if (!calling && !search) return { tools: offered }
  return { tools: offered, toolConfig: { ...(calling ? { functionCallingConfig: calling } : {}), ...mixed } }
}

function toDeclaration(tool: Tool, { names, dropped }: ToolContext) {
  if (tool.cacheControl) dropped.add('cache_control')
  const path = `${tool.path}.function.parameters`
  return {
    name: names.toProvider(tool.name),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(tool.parameters ? { parametersJsonSchema: toGeminiSchema(tool.parameters, path) } : {}),
  }
}

function toCalling(setting: ToolSetting, { names, isJson }: ToolContext, isMixed: boolean) {
  const { choice, tools } = setting
  if (choice === 'none') return { mode: 'NONE' }
  if (choice === 'required') return { mode: 'ANY' }
  if (typeof choice === 'object')
    return { mode: 'ANY', allowedFunctionNames: [names.toProvider(choice.name)] }
  // VALIDATED holds arguments to the schema and leaves the choice to the model; with JSON output only AUTO works.
  const isValidated = isMixed || tools.some((tool) => tool.isStrict)
  if (isValidated && !isJson) return { mode: 'VALIDATED' }
  return choice === 'auto' ? { mode: 'AUTO' } : undefined
}
