const names = new Map(
  Object.entries({
    anthropic: 'Anthropic',
    openai: 'OpenAI',
    gemini: 'Google Gemini',
    perplexity: 'Perplexity',
    openrouter: 'OpenRouter',
  }),
)

export const providerName = (id: string): string => names.get(id) ?? id
