import { invalidField } from '#kernel/errors'
import type { Dropped } from '../../wire/dropped.ts'
import type { TextPart } from '../../chat/parts.ts'
import type { ResponseFormat } from '../../chat/settings.ts'
import type { JsonObject } from '../../wire/json.ts'
import { optionalObject, toJson } from '../../wire/request-json.ts'
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
  const { tools } = setting
  const { can, dropped } = context
  const offered: unknown[] = []
  if (tools.length > 0)
    offered.push({ functionDeclarations: tools.map((tool) => toDeclaration(tool, context)) })
  if (search) {
    for (const option of Object.keys(search)) dropped.add(`web_search_options.${option.slice(0, 32)}`)
    offered.push({ googleSearch: {} })
  }
  if (offered.length === 0) return {}
  if (tools.length === 0) return { tools: offered }
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

interface FormatBesideTools {
  format: ResponseFormat | undefined
  /** Asks for the format in words. */
  instruction?: TextPart
  isWithoutTools: boolean
}

/**
 * Gemini has JSON output and tools together only from generation 3 on, and only while the choice among the tools is
 * free. Tools that must not be called are left out; a call that is forced needs no format; else words ask for it.
 */
export function besideTools(
  format: ResponseFormat | undefined,
  { tools, choice }: ToolSetting,
  can: GeminiCapabilities,
  dropped: Dropped,
): FormatBesideTools {
  const isFree = choice === undefined || choice === 'auto'
  if (!format || tools.length === 0 || (can.generation >= 3 && isFree))
    return { format, isWithoutTools: false }
  if (choice === 'none') {
    dropped.add('tools')
    return { format, isWithoutTools: true }
  }
  const path = 'response_format'
  if (!isFree) {
    dropped.adapt(path, ['cannot be JSON unless ', { path: 'tool_choice' }, ' is auto'])
    return { format: undefined, isWithoutTools: false }
  }
  dropped.adapt(path, ['cannot be JSON while ', { path: 'tools' }, ' are offered to this model'])
  const schema = format.kind === 'schema' ? ` It must match this JSON Schema:\n${toJson(format.schema)}` : ''
  const text = `When you do not call a tool, answer with one JSON object and nothing else.${schema}`
  const instruction: TextPart = { type: 'text', text, path, cacheControl: undefined }
  return { format: undefined, instruction, isWithoutTools: false }
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
