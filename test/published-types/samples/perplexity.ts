import { perplexity } from '../../../src/gateway/providers/perplexity/index.ts'
import { messages } from '../conversation.ts'
import { imagePart } from '../media.ts'
import type { Random } from '../random.ts'
import { functionTools, toolFields } from '../tools.ts'
import { formatFields, ownerFields } from './provider-samples.ts'
import type { ChatBody, ProviderSamples } from './provider-samples.ts'

export const perplexitySamples: ProviderSamples = {
  provider: perplexity,
  baseUrl: 'PERPLEXITY_BASE_URL',
  request,
  wholeOnly: [],
  formats: ['perplexityAgent'],
  formatOf: () => 'perplexityAgent',
}

const models = ['sonar', 'sonar-pro', 'sonar-reasoning', 'sonar-reasoning-pro', 'sonar-deep-research']

function request(random: Random): ChatBody {
  const model = random.pick(models)
  const tools = random.chance(50) ? functionTools(random, false) : []
  const rules = { media: [imagePart], resultMedia: [], canPrefill: false, remembered: () => ({}) }
  return {
    model,
    messages: messages(random, tools, rules),
    ...toolFields(random, tools, { canForce: false, takesAllowedTools: true }),
    ...formatFields(random, ['text', 'json_schema']),
    ...ownerFields(random),
    ...random.some(20, {
      reasoning_effort: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
      temperature: [0, 0.7],
      top_p: [0.5],
      [random.pick(['max_tokens', 'max_completion_tokens'])]: [100, 8192],
      language_preference: ['de'],
      max_steps: [3],
      search_domain_filter: [['example.com', '-example.org']],
      search_recency_filter: ['week'],
      search_after_date_filter: ['3/1/2026'],
      last_updated_before_filter: ['3/1/2026'],
      // A preset brings its own search, which cannot be switched off.
      disable_search: model === 'sonar' ? [true, false] : [false],
      web_search_options: [
        {},
        { search_context_size: 'high' },
        { user_location: { type: 'approximate', approximate: { country: 'CH', city: 'Bern' } } },
        { user_location: { country: 'CH', latitude: 46.9, longitude: 7.4 } },
      ],
    }),
  }
}
