import { anthropic } from '../../../src/gateway/providers/anthropic/index.ts'
import { claudeModels } from '../../fake-provider/anthropic/models.ts'
import type { ClaudeModel } from '../../fake-provider/anthropic/models.ts'
import { sign } from '../../fake-provider/anthropic/signature.ts'
import { messages } from '../conversation.ts'
import { filePart, imagePart } from '../media.ts'
import type { Random } from '../random.ts'
import { functionTools, toolFields } from '../tools.ts'
import { formatFields, ownerFields } from './provider-samples.ts'
import type { ChatBody, ProviderSamples } from './provider-samples.ts'

export const anthropicSamples: ProviderSamples = {
  provider: anthropic,
  baseUrl: 'ANTHROPIC_BASE_URL',
  request,
  wholeOnly: [],
  formats: ['anthropic', 'anthropicBeta'],
  // With a beta header it is the beta's type that holds.
  formatOf: (_path, headers) => ('anthropic-beta' in headers ? 'anthropicBeta' : 'anthropic'),
}

function request(random: Random): ChatBody {
  const model = random.pick(claudeModels)
  const reasoning = reasoningFields(random, model)
  const isReasoning = Object.keys(reasoning).length > 0
  const tools = random.chance(60) ? functionTools(random, true) : []
  // A budget for thinking and a forced call exclude each other.
  const canForce = model.forcedTools && !(isReasoning && model.thinking.includes('enabled'))
  const rules = {
    media: [imagePart, filePart],
    resultMedia: [imagePart],
    canPrefill: model.prefill && !isReasoning,
    remembered: (source: Random) => thoughts(source, model.id),
  }
  return {
    model: model.id,
    messages: messages(random, tools, rules),
    ...toolFields(random, tools, { canForce, takesAllowedTools: true }),
    ...formatFields(random, ['text', 'json_object', 'json_schema']),
    ...reasoning,
    ...samplingFields(random, model),
    ...ownerFields(random),
    ...random.some(20, {
      stop: ['END', ['END', '\n\n']],
      [random.pick(['max_tokens', 'max_completion_tokens'])]: [4096, 20_000],
      service_tier: ['auto', 'default'],
      web_search_options: [
        {},
        { user_location: { type: 'approximate', approximate: { country: 'CH', city: 'Bern' } } },
      ],
      cache_control: [{ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }],
    }),
  }
}

function reasoningFields(random: Random, model: ClaudeModel): ChatBody {
  const own = random.pick(model.thinking)
  const thinking = own === 'enabled' ? { type: own, budget_tokens: 2048 } : { type: own }
  const shown = own === 'enabled' || own === 'adaptive' ? random.some(40, { display: ['omitted'] }) : {}
  const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
  return random.pick([
    {},
    {},
    { reasoning_effort: random.pick(efforts) },
    { reasoning: { effort: random.pick(efforts), ...random.some(50, { exclude: [true, false] }) } },
    { reasoning: { max_tokens: 2000 } },
    { thinking: { ...thinking, ...shown } },
  ])
}

function samplingFields(random: Random, { sampling }: ClaudeModel): ChatBody {
  if (!sampling) return random.some(20, { temperature: [1], top_p: [1] })
  return {
    ...random.pick([{}, { temperature: random.pick([0, 0.3, 1, 1.4]) }, { top_p: 0.9 }]),
    ...random.some(20, { top_k: [40] }),
  }
}

/** Thinking from an earlier response, signed as the provider would. */
function thoughts(random: Random, model: string): Record<string, unknown> {
  if (!random.chance(25)) return {}
  const thinking = 'The user wants a forecast.'
  const place = { format: 'anthropic-claude-v1', index: 0, model }
  const detail = random.pick([
    { type: 'reasoning.text', text: thinking, signature: sign({ model, messages: [] }, thinking) },
    { type: 'reasoning.encrypted', data: sign({ model, messages: [] }, '') },
  ])
  return { reasoning_details: [{ ...detail, ...place }] }
}
