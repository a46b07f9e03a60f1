import { invalidField } from '#kernel/errors'
import type { JsonObject } from '../../wire/json.ts'
import { readReasoning, readThinking } from '../../chat/settings.ts'
import type { Effort, ReasoningSetting } from '../../chat/settings.ts'
import type { GeminiCapabilities } from './models.ts'

export interface ThinkingConfig {
  thinkingLevel?: string
  thinkingBudget?: number
  includeThoughts?: boolean
}

export function toThinkingConfig(
  body: JsonObject,
  can: GeminiCapabilities,
  dropped: Set<string>,
): ThinkingConfig | undefined {
  const setting = readReasoning(body) ?? fromThinking(body)
  if (!setting) return undefined
  if (!can.thinking) {
    if (setting.effort !== 'none') dropped.add(setting.field)
    return undefined
  }
  const isOff = setting.effort === 'none'
  const shown = isOff || setting.isHidden ? {} : { includeThoughts: true }
  if (can.thinking === 'budget') return { ...budgetOf(setting, can), ...shown }
  // Levels cannot be switched off, and a number of tokens can only be approximated: both are listed as dropped.
  if (isOff) dropped.add(setting.field)
  if (setting.budget !== undefined) dropped.add(`${setting.field}.max_tokens`)
  return { ...levelOf(setting, can), ...shown }
}

/** The same setting as Anthropic's clients send it. */
function fromThinking(body: JsonObject): ReasoningSetting | undefined {
  const thinking = readThinking(body)
  if (!thinking) return undefined
  const { type, budget, display } = thinking
  if (type !== 'enabled' && type !== 'adaptive' && type !== 'disabled') {
    throw invalidField('thinking.type', 'must be enabled, adaptive or disabled')
  }
  const effort = type === 'disabled' ? 'none' : undefined
  return { effort, budget, isHidden: display === 'omitted', field: 'thinking' }
}

/** The numbers that Google's own Chat Completions API uses. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: Infinity,
  max: Infinity,
}

function budgetOf({ effort, budget }: ReasoningSetting, can: GeminiCapabilities): ThinkingConfig {
  const asked = effort === 'none' ? 0 : (budget ?? (effort && budgets[effort]))
  if (asked === undefined) return {}
  return { thinkingBudget: Math.min(can.highestBudget, Math.max(can.lowestBudget, asked)) }
}

function levelOf({ effort, budget }: ReasoningSetting, can: GeminiCapabilities): ThinkingConfig {
  if (effort === undefined) {
    if (budget === undefined) return {}
    return { thinkingLevel: budget <= 4096 ? 'low' : budget <= 16_384 ? 'medium' : 'high' }
  }
  if (effort === 'none' || effort === 'minimal') return { thinkingLevel: can.lowestLevel }
  return { thinkingLevel: effort === 'low' || effort === 'medium' ? effort : 'high' }
}
