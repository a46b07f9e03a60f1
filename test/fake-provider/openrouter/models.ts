interface Listed {
  id: string
  name: string
  context: number
  output: number
  /** Dollars per million tokens, as a string: the API has decimals, not floats. */
  prompt: string
  completion: string
  cacheRead: string
  cacheWrite?: string
  images: boolean
}

const listed: Listed[] = [
  {
    id: 'anthropic/claude-opus-5.5',
    name: 'Anthropic: Claude Opus 5.5',
    context: 1_000_000,
    output: 128_000,
    prompt: '0.000004',
    completion: '0.00002',
    cacheRead: '0.0000002',
    cacheWrite: '0.000005',
    images: true,
  },
  {
    id: 'anthropic/claude-haiku-5.5',
    name: 'Anthropic: Claude Haiku 5.5',
    context: 1_000_000,
    output: 128_000,
    prompt: '0.0000001',
    completion: '0.0000005',
    cacheRead: '0.00000001',
    cacheWrite: '0.000000125',
    images: true,
  },
  {
    id: 'openai/gpt-6-sol',
    name: 'OpenAI: GPT-6 Sol',
    context: 1_050_000,
    output: 128_000,
    prompt: '0.000002',
    completion: '0.00001',
    cacheRead: '0.0000002',
    cacheWrite: '0.0000025',
    images: true,
  },
  {
    id: 'google/gemini-3.8-flash',
    name: 'Google: Gemini 3.8 Flash',
    context: 1_048_576,
    output: 65_536,
    prompt: '0.000000825',
    completion: '0.000004125',
    cacheRead: '0.0000000825',
    images: true,
  },
  {
    id: 'meta-llama/llama-3.3-70b-instruct:free',
    name: 'Meta: Llama 3.3 70B (free)',
    context: 131_072,
    output: 32_768,
    prompt: '0',
    completion: '0',
    cacheRead: '0',
    images: false,
  },
]

const parameters = [
  'frequency_penalty',
  'include_reasoning',
  'max_tokens',
  'presence_penalty',
  'reasoning',
  'response_format',
  'seed',
  'stop',
  'structured_outputs',
  'temperature',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
]

/** The models as `GET /models` shows them; the router's own has no price of its own. */
export function describeModels(): unknown {
  const router = {
    ...listed[0],
    id: 'openrouter/auto',
    name: 'Auto Router',
    prompt: '-1',
    completion: '-1',
    cacheRead: '-1',
  }
  return { data: [...listed, router as Listed].map(describe) }
}

function describe(model: Listed): unknown {
  const inputs = model.images ? ['text', 'image', 'file'] : ['text']
  const long = model.id === 'anthropic/claude-haiku-5.5'
  return {
    id: model.id,
    canonical_slug: model.id.replace(/:.*$/, ''),
    hugging_face_id: '',
    name: model.name,
    created: 1_790_000_000,
    description: `${model.name}, as the fake provider knows it`,
    context_length: model.context,
    architecture: {
      modality: `${inputs.join('+')}->text`,
      input_modalities: inputs,
      output_modalities: ['text'],
      tokenizer: 'Other',
      instruct_type: null,
    },
    pricing: {
      prompt: model.prompt,
      completion: model.completion,
      request: '0',
      image: '0',
      web_search: '0',
      internal_reasoning: '0',
      input_cache_read: model.cacheRead,
      ...(model.cacheWrite === undefined ? {} : { input_cache_write: model.cacheWrite }),
      ...(long
        ? { overrides: [{ min_prompt_tokens: 100_000, prompt: '0.0000005', completion: '0.0000025' }] }
        : {}),
    },
    top_provider: { context_length: model.context, max_completion_tokens: model.output, is_moderated: false },
    per_request_limits: null,
    supported_parameters: parameters,
    default_parameters: {},
    knowledge_cutoff: null,
    expiration_date: null,
    reasoning: {
      mandatory: false,
      supported_efforts: ['low', 'medium', 'high'],
      default_effort: 'medium',
      default_enabled: false,
      supports_max_tokens: true,
    },
  }
}

/** Dollars for one response at the listed price; unknown models cost nothing. */
export function costOf(id: string, input: number, output: number): number {
  const model = listed.find((one) => one.id === id)
  if (model === undefined) return 0
  return Math.round((input * Number(model.prompt) + output * Number(model.completion)) * 1e9) / 1e9
}
