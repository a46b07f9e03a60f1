import { openrouter } from '../../../src/gateway/providers/openrouter/index.ts'
import { messages } from '../conversation.ts'
import { filePart, imagePart } from '../media.ts'
import type { Random } from '../random.ts'
import { functionTools, toolFields } from '../tools.ts'
import { formatFields, ownerFields } from './provider-samples.ts'
import type { ChatBody, ProviderSamples } from './provider-samples.ts'

export const openrouterSamples: ProviderSamples = {
  provider: openrouter,
  baseUrl: 'OPENROUTER_BASE_URL',
  request,
  wholeOnly: [],
  formats: ['openrouter'],
  formatOf: () => 'openrouter',
}

const models = [
  'openrouter/anthropic/claude-opus-5.5',
  'openrouter/~openai/gpt-6-sol',
  'openrouter/google/gemini-3.8-flash',
  'openrouter/meta-llama/llama-3.3-70b-instruct:free',
  'openrouter/auto',
]

function request(random: Random): ChatBody {
  const tools = random.chance(50) ? functionTools(random, false) : []
  const rules = {
    media: [imagePart, filePart],
    resultMedia: [],
    canPrefill: true,
    remembered: () => ({}),
  }
  return {
    model: random.pick(models),
    messages: messages(random, tools, rules),
    ...toolFields(random, tools, { canForce: true, takesAllowedTools: false }),
    ...formatFields(random, ['text', 'json_object', 'json_schema']),
    ...ownerFields(random),
    ...random.pick([
      {},
      random.some(50, { reasoning_effort: ['low', 'high'] }),
      { reasoning: random.some(50, { effort: ['low', 'high'], exclude: [true], enabled: [true] }) },
    ]),
    ...random.some(20, {
      temperature: [0, 0.7, 2],
      top_p: [0.5, 1],
      top_k: [40],
      stop: ['END', ['END', '\n\n']],
      [random.pick(['max_tokens', 'max_completion_tokens'])]: [1, 8192],
      provider: [{ order: ['anthropic'], allow_fallbacks: false }],
      models: [['openai/gpt-6-sol']],
    }),
  }
}
