import { openai } from '../../../src/gateway/providers/openai/index.ts'
import { messages } from '../conversation.ts'
import { filePart, imagePart } from '../media.ts'
import type { Random } from '../random.ts'
import { functionTools, toolFields } from '../tools.ts'
import { formatFields, ownerFields } from './provider-samples.ts'
import type { ChatBody, ProviderSamples } from './provider-samples.ts'

export const openaiSamples: ProviderSamples = {
  provider: openai,
  baseUrl: 'OPENAI_BASE_URL',
  request,
  wholeOnly: [],
  formats: ['chatCompletions', 'responses'],
  formatOf: (path) => (path === '/responses' ? 'responses' : 'chatCompletions'),
}

interface Model {
  id: string
  efforts: readonly string[]
  /** Does not reason unless requested, and then takes sampling parameters. */
  isQuiet: boolean
  /** Speaks the Responses API once it has function tools, or always. */
  bridged: 'never' | 'with-tools' | 'always'
}

const upToHigh = ['low', 'medium', 'high']
const models: readonly Model[] = [
  { id: 'gpt-4.1', efforts: [], isQuiet: true, bridged: 'never' },
  { id: 'gpt-4o-mini', efforts: [], isQuiet: true, bridged: 'never' },
  { id: 'o3', efforts: upToHigh, isQuiet: false, bridged: 'never' },
  { id: 'gpt-5-mini', efforts: ['minimal', ...upToHigh], isQuiet: false, bridged: 'never' },
  { id: 'gpt-5.1', efforts: ['none', ...upToHigh], isQuiet: true, bridged: 'never' },
  { id: 'gpt-5.4', efforts: ['none', ...upToHigh, 'xhigh'], isQuiet: true, bridged: 'never' },
  { id: 'gpt-6-sol', efforts: ['none', ...upToHigh, 'xhigh'], isQuiet: false, bridged: 'with-tools' },
  { id: 'gpt-6.1-sol', efforts: [...upToHigh, 'xhigh'], isQuiet: false, bridged: 'with-tools' },
  { id: 'gpt-5.5-pro', efforts: ['medium', 'high', 'xhigh'], isQuiet: false, bridged: 'always' },
]

function request(random: Random): ChatBody {
  const model = random.pick(models)
  const tools = random.chance(60) ? functionTools(random, false) : []
  const effort: ChatBody = random.some(50, { reasoning_effort: model.efforts })
  const asked = effort['reasoning_effort']
  const samples = asked === undefined ? model.isQuiet : asked === 'none'
  const isPlain = model.efforts.length === 0
  const isBridged = model.bridged === 'always' || (model.bridged === 'with-tools' && tools.length > 0)
  const isSearching = isPlain || (isBridged && asked !== 'none')
  const rules = { media: [imagePart, filePart], resultMedia: [], canPrefill: false, remembered: () => ({}) }
  return {
    model: model.id,
    // Without this word a JSON object may not be asked for.
    messages: [{ role: 'system', content: 'Use json.' }, ...messages(random, tools, rules)],
    ...toolFields(random, tools, { canForce: true, takesAllowedTools: true }),
    ...formatFields(random, ['text', 'json_object', 'json_schema']),
    ...effort,
    ...ownerFields(random),
    ...random.some(20, {
      temperature: samples ? [0, 0.7, 2] : [1],
      top_p: samples ? [0.5, 1] : [1],
      [random.pick(['max_tokens', 'max_completion_tokens'])]: [16, 8192],
      service_tier: ['auto', 'default', 'flex', 'priority'],
      store: [true, false],
      verbosity: ['low', 'medium', 'high'],
      prompt_cache_key: ['conversation-1'],
      modalities: [['text']],
      web_search_options: isSearching
        ? [{}, { search_context_size: 'low', user_location: bern }, { search_context_size: 'high' }]
        : [],
    }),
    ...(isPlain ? plainFields(random) : {}),
  }
}

const bern = { type: 'approximate', approximate: { country: 'CH', city: 'Bern' } }

/** Models that reason refuse these. */
function plainFields(random: Random): ChatBody {
  return {
    ...random.some(20, {
      stop: ['END', ['END', '\n\n']],
      presence_penalty: [0.5],
      frequency_penalty: [-0.5],
      logit_bias: [{ '50256': -100 }],
    }),
    ...(random.chance(20) ? { logprobs: true, ...random.some(50, { top_logprobs: [3] }) } : {}),
  }
}
