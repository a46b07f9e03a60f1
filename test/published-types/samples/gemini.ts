import { gemini } from '../../../src/gateway/providers/gemini/index.ts'
import { geminiModels } from '../../fake-provider/gemini/models.ts'
import { messages } from '../conversation.ts'
import { audioPart, filePart, imagePart } from '../media.ts'
import type { Random } from '../random.ts'
import { functionTools, toolFields } from '../tools.ts'
import { formatFields, ownerFields } from './provider-samples.ts'
import type { ChatBody, ProviderSamples } from './provider-samples.ts'

export const geminiSamples: ProviderSamples = {
  provider: gemini,
  baseUrl: 'GEMINI_BASE_URL',
  request,
  wholeOnly: ['n', 'logprobs', 'top_logprobs'],
  formats: ['gemini'],
  formatOf: () => 'gemini',
}

function request(random: Random): ChatBody {
  const { id, generation } = random.pick(geminiModels)
  const isNew = generation >= 3
  const tools = random.chance(60) ? functionTools(random, true) : []
  const hasTools = tools.length > 0
  const rules = {
    media: [imagePart, filePart, audioPart],
    resultMedia: isNew ? [imagePart] : [],
    canPrefill: false,
    remembered: signature,
  }
  // JSON and tools together: not before the third generation, and then only with a free choice.
  const format = hasTools && !isNew ? {} : formatFields(random, ['text', 'json_object', 'json_schema'])
  const isJson = Object.keys(format).length > 0
  const chosen = toolFields(random, tools, { canForce: true, takesAllowedTools: true })
  const free = isJson && hasTools ? { ...chosen, tool_choice: 'auto' } : chosen
  return {
    model: id,
    messages: messages(random, tools, rules),
    ...free,
    ...format,
    ...ownerFields(random),
    ...reasoningFields(random),
    ...random.some(20, {
      temperature: [0, 0.7, 2],
      top_p: [0.5, 1],
      top_k: [40],
      stop: ['END', ['END', '\n\n', 'STOP']],
      [random.pick(['max_tokens', 'max_completion_tokens'])]: [1, 8192],
      n: [1, 2, 8],
      modalities: [['text'], ['text', 'image']],
      service_tier: ['auto', 'default', 'flex', 'priority'],
      store: [true, false],
      safety_settings: [[{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }]],
      web_search_options: hasTools && !isNew ? [] : [{}, { search_context_size: 'low' }],
    }),
    ...(!isNew && random.chance(20) ? { logprobs: true, ...random.some(50, { top_logprobs: [3] }) } : {}),
  }
}

function reasoningFields(random: Random): ChatBody {
  const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
  return random.pick([
    {},
    {},
    { reasoning_effort: random.pick(efforts) },
    { reasoning: { effort: random.pick(efforts), ...random.some(50, { exclude: [true] }) } },
    { reasoning: { max_tokens: random.pick([500, 9000, 90_000]) } },
    { thinking: { type: 'enabled', budget_tokens: 4000 } },
  ])
}

/** What a client sends back from a response; this is Google's value for a missing signature. */
function signature(random: Random): Record<string, unknown> {
  const signed = { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }
  return random.chance(20) ? signed : {}
}
