import { invalidField } from '#kernel/errors'
import type { Dropped } from '../../wire/dropped.ts'
import type { JsonObject } from '../../wire/json.ts'
import { readReasoning, readThinking } from '../../chat/settings.ts'
import type { Effort, ReasoningSetting, ThinkingSetting } from '../../chat/settings.ts'
import type { ClaudeCapabilities, ClaudeEffort, ThinkingType } from './models.ts'

export interface Thinking {
  thinking?: { type: ThinkingType; budget_tokens?: number; display?: string }
  effort?: ClaudeEffort
  /** The thinking budget to be added to the client's limit, which was meant for the response. */
  extraTokens: number
  /** The field that the client used. */
  field: string
}

interface Context {
  model: string
  can: ClaudeCapabilities
  dropped: Dropped
}

export function toThinking(body: JsonObject, context: Context): Thinking {
  const own = readThinking(body)
  const setting = readReasoning(body)
  if (own) return fromThinkingSetting(own, setting, context)
  if (!setting) return { extraTokens: 0, field: 'reasoning_effort' }
  if (setting.effort === 'none') return switchedOff(setting, context)
  if (!context.can.thinking.includes('adaptive')) return budgeted(setting)
  if (setting.budget !== undefined) context.dropped.add('reasoning.max_tokens')
  return {
    thinking: { type: 'adaptive', display: setting.isHidden ? 'omitted' : 'summarized' },
    ...effortOf(setting.effort, context.can),
    extraTokens: 0,
    field: setting.field,
  }
}

/** The client sent Anthropic's own setting: it is sent unchanged, or refused where the model has no such mode. */
function fromThinkingSetting(
  own: ThinkingSetting,
  setting: ReasoningSetting | undefined,
  { model, can }: Context,
): Thinking {
  const type = can.thinking.find((accepted) => accepted === own.type)
  if (!type) {
    const accepted = can.thinking.join(' or ')
    throw invalidField('thinking.type', `must be ${accepted} for ${model}`)
  }
  const effort = setting?.effort === 'none' ? {} : effortOf(setting?.effort, can)
  const display = own.display === undefined ? {} : { display: own.display }
  if (type !== 'enabled')
    return { thinking: { type, ...display }, ...effort, extraTokens: 0, field: 'thinking' }
  if (own.budget === undefined || own.budget < 1024) {
    throw invalidField('thinking.budget_tokens', 'must be at least 1024')
  }
  const thinking = { type, budget_tokens: own.budget, ...display }
  return { thinking, ...effort, extraTokens: 0, field: 'thinking' }
}

/** The nearest to no reasoning that the model offers. */
function switchedOff({ field }: ReasoningSetting, { can, dropped }: Context): Thinking {
  if (can.thinking.includes('disabled')) return { thinking: { type: 'disabled' }, extraTokens: 0, field }
  if (can.thinking.includes('between_tools')) {
    return { thinking: { type: 'between_tools' }, extraTokens: 0, field }
  }
  dropped.add(field)
  return { effort: 'low', extraTokens: 0, field }
}

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 2048,
  high: 4096,
  xhigh: 8192,
  max: 16_384,
}

function budgeted({ effort, budget, field, isHidden }: ReasoningSetting): Thinking {
  const tokens = Math.max(1024, budget ?? budgets[effort ?? 'medium'])
  const hidden = isHidden ? { display: 'omitted' } : {}
  return { thinking: { type: 'enabled', budget_tokens: tokens, ...hidden }, extraTokens: tokens, field }
}

/** The model's own word for an effort, or the next stronger one that it has. */
function effortOf(effort: Effort | undefined, { efforts }: ClaudeCapabilities): { effort?: ClaudeEffort } {
  if (effort === undefined || effort === 'none' || efforts.length === 0) return {}
  const asked = effort === 'minimal' ? 'low' : effort
  const order = ['low', 'medium', 'high', 'xhigh', 'max'] as const
  const stronger = order.slice(order.indexOf(asked)).find((one) => efforts.includes(one))
  const accepted = stronger ?? efforts.at(-1)
  return accepted ? { effort: accepted } : {}
}
