import { invalidField } from '#kernel/errors'
import type { ChatRequest } from '../../provider.ts'
import { promptCacheControl } from '../../chat/prompt-cache.ts'
import { readConversation } from '../../chat/conversation.ts'
import { Dropped } from '../../wire/dropped.ts'
import { noteDropped, refuseFields, retiredFields } from '../../chat/fields.ts'
import { isAbsent, type JsonObject } from '../../wire/json.ts'
import { contentOf, type RequestContent } from '../../wire/large-json.ts'
import { optionalInteger, optionalObject, optionalString, toJson } from '../../wire/request-json.ts'
import { readMaxTokens, readResponseFormat, readStop } from '../../chat/settings.ts'
import type { ResponseFormat } from '../../chat/settings.ts'
import { readToolSetting } from '../../chat/tools.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import type { Block } from './blocks.ts'
import { instruct, isThinking, toMessages } from './messages.ts'
import type { TranslatedConversation } from './messages.ts'
import { capabilitiesOf } from './models.ts'
import type { ClaudeCapabilities } from './models.ts'
import { toSampling } from './sampling.ts'
import { isOpenSchema, toStrictSchema } from './schema.ts'
import { toThinking } from './thinking.ts'
import type { Thinking } from './thinking.ts'
import { claudeNames, toToolFields } from './tools.ts'
import type { ClaudeToolFields } from './tools.ts'

const handled = new Set(
  `max_tokens max_completion_tokens temperature top_p top_k stop n tools tool_choice parallel_tool_calls
  response_format reasoning_effort reasoning thinking web_search_options user safety_identifier service_tier
  cache_control prompt_cache_key prompt_cache_retention logprobs top_logprobs modalities audio`.split(/\s+/),
)

const refused = {
  ...retiredFields,
  logprobs: 'is not available: Anthropic does not return token probabilities.',
  top_logprobs: 'is not available: Anthropic does not return token probabilities.',
  audio: 'is not available: Anthropic models do not produce audio.',
}

/** Anthropic has no mode for "any JSON object", so an instruction asks for one. */
const jsonSentence = 'Answer with one JSON object and nothing else: no text around it and no code fence.'

/** Lets blocks that no longer fit an edited conversation be left out instead of refused. */
const bindingBeta = 'thinking-binding-controls-2026-08-01'
const dropUnfitting = { prefix_mismatch_behavior: 'drop_block' }

export interface MessagesRequest {
  content: RequestContent
  headers: Record<string, string>
  dropped: Dropped
  names: ToolNames
}

export function toMessagesRequest(request: ChatRequest): MessagesRequest {
  const { model, isStream, body } = request
  const can = capabilitiesOf(model)
  const dropped = new Dropped()
  const names = claudeNames()
  refuseFields(body, refused)
  refuseChoices(body)
  const setting = readToolSetting(body)
  names.offer(setting.tools.map((tool) => tool.name))
  const conversation = readConversation(body['messages'], dropped)
  const context = { model, can, names, dropped }
  const translated = toMessages(conversation, context)
  const thinking = withoutBrokenLoop(toThinking(body, context), translated, dropped)
  const thinksOnBudget = thinking.thinking?.type === 'enabled' ? thinking.field : undefined
  const { fields: tools, instruction } = toToolFields(setting, body, conversation, {
    ...context,
    thinksOnBudget,
  })
  if (instruction !== undefined) instruct(translated, instruction, context)
  const isBound = can.bound && withoutUnbindable(translated, thinking, dropped).hasThinking
  const sampling = toSampling(body, {
    model,
    isAccepted: can.sampling,
    isThinking: thinking.thinking !== undefined && thinking.thinking.type !== 'disabled',
    dropped,
  })
  const format = enforceable(readResponseFormat(body), translated, dropped)
  const outputConfig = {
    ...(thinking.effort ? { effort: thinking.effort } : {}),
    ...(format?.kind === 'schema'
      ? { format: { type: 'json_schema', schema: toStrictSchema(format.schema, format.path) } }
      : {}),
  }
  const upstream = {
    model,
    max_tokens: maxTokens(body, thinking, can),
    ...(translated.system.length > 0 ? { system: translated.system } : {}),
    messages: translated.messages,
    ...tools,
    ...thinkingField(thinking, isBound),
    ...(Object.keys(outputConfig).length > 0 ? { output_config: outputConfig } : {}),
    ...sampling,
    ...stopField(body, dropped),
    ...ownerFields(body, dropped),
    ...cacheField(body, translated, tools),
    ...(isStream ? { stream: true } : {}),
  }
  noteDropped(body, handled, dropped)
  const headers: Record<string, string> = isBound ? { 'anthropic-beta': bindingBeta } : {}
  return { content: contentOf(upstream, request), headers, dropped, names }
}

function refuseChoices(body: JsonObject): void {
  if ((optionalInteger(body['n'], 'n', 1) ?? 1) > 1) {
    throw invalidField('n', 'must be 1: Anthropic returns one choice per request')
  }
  const { modalities } = body
  const isText = Array.isArray(modalities) && modalities.every((modality) => modality === 'text')
  if (!isAbsent(modalities) && !isText) {
    throw invalidField('modalities', 'must be ["text"] for Anthropic models')
  }
}

/** With a budget, calls must come back with the thinking before them; without it, thinking is switched off. */
function withoutBrokenLoop(
  thinking: Thinking,
  translated: TranslatedConversation,
  dropped: Dropped,
): Thinking {
  if (thinking.thinking?.type !== 'enabled' || !translated.lacksThinking) return thinking
  dropped.add(thinking.field)
  return { extraTokens: 0, field: thinking.field }
}

/** Between tools there is no word for blocks that no longer fit: they would fail the request, so all stay out. */
function withoutUnbindable(
  translated: TranslatedConversation,
  { thinking }: Thinking,
  dropped: Set<string>,
): TranslatedConversation {
  if (thinking?.type !== 'between_tools' || !translated.hasThinking) return translated
  dropped.add('messages.reasoning_details')
  for (const message of translated.messages)
    message.content = message.content.filter((block) => !isThinking(block))
  translated.hasThinking = false
  return translated
}

/** The format that Anthropic can enforce; any other is asked for in words. */
function enforceable(
  format: ResponseFormat | undefined,
  { system }: TranslatedConversation,
  dropped: Dropped,
): ResponseFormat | undefined {
  const ask = (text: string): undefined => void system.push({ type: 'text', text })
  if (format?.kind === 'object') return ask(jsonSentence)
  if (format?.kind !== 'schema' || format.isStrict || !isOpenSchema(format.schema)) return format
  dropped.adapt(format.path, 'has an object with free property names, which cannot be enforced')
  return ask(`${jsonSentence} It must match this JSON Schema:\n${toJson(format.schema)}`)
}

function thinkingField({ thinking }: Thinking, isBound: boolean) {
  if (!isBound) return thinking ? { thinking } : {}
  return { thinking: { ...(thinking ?? { type: 'adaptive' }), block_binding: dropUnfitting } }
}

/** Anthropic wants a limit. Without one from the client the model's own: thinking counts against it too. */
function maxTokens(body: JsonObject, { thinking, extraTokens }: Thinking, can: ClaudeCapabilities): number {
  const requested = readMaxTokens(body)
  const limit =
    requested === undefined ? can.output : Math.min(requested + extraTokens, Math.max(requested, can.output))
  const budget = thinking?.budget_tokens
  if (budget !== undefined && budget >= limit) {
    const field = extraTokens > 0 ? 'reasoning.max_tokens' : 'thinking.budget_tokens'
    throw invalidField(field, `must be below the ${limit} tokens of the whole response`)
  }
  return limit
}

function stopField(body: JsonObject, dropped: Set<string>) {
  const stop = readStop(body)
  const visible = stop.filter((text) => text.trim() !== '')
  if (visible.length < stop.length) dropped.add('stop')
  return visible.length > 0 ? { stop_sequences: visible } : {}
}

/** Whom the request is for, and how it is served. */
function ownerFields(body: JsonObject, dropped: Set<string>) {
  const safety = optionalString(body['safety_identifier'], 'safety_identifier')
  const user = optionalString(body['user'], 'user')
  const owner = safety ?? user ?? ''
  // Anthropic asks for opaque ids only: no address and no telephone number may leave.
  const isPersonal = owner.includes('@') || /^\+?[\d\s().-]{7,}$/.test(owner)
  if (isPersonal) dropped.add(safety === undefined ? 'user' : 'safety_identifier')
  const tier = optionalString(body['service_tier'], 'service_tier')
  const tiers: Readonly<Record<string, string>> = { auto: 'auto', default: 'standard_only' }
  const known = tier !== undefined && Object.hasOwn(tiers, tier) ? tiers[tier] : undefined
  if (tier !== undefined && !known) dropped.add('service_tier')
  return {
    ...(owner !== '' && !isPersonal ? { metadata: { user_id: owner } } : {}),
    ...(known ? { service_tier: known } : {}),
  }
}

/** Automatic caching, where the client requests it and sets no marks of its own. */
function cacheField(body: JsonObject, translated: TranslatedConversation, tools: ClaudeToolFields) {
  const own = optionalObject(body['cache_control'], 'cache_control')
  if (own) return { cache_control: own }
  const cacheControl = promptCacheControl(body)
  return cacheControl && !hasMarks(translated, tools) ? { cache_control: cacheControl } : {}
}

function hasMarks({ system, messages }: TranslatedConversation, { tools = [] }: ClaudeToolFields): boolean {
  const isMarked = (block: Block): boolean => block['cache_control'] !== undefined
  return [system, tools, ...messages.map(({ content }) => content)].some((blocks) => blocks.some(isMarked))
}
