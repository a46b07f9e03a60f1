const names = new Map(
  Object.entries({
    anthropic: 'Anthropic',
    openai: 'OpenAI',
    gemini: 'Google Gemini',
    perplexity: 'Perplexity',
    openrouter: 'OpenRouter',
    // Vectors that the server makes itself.
    signalbox: 'Signalbox',
  }),
)

export const providerName = (id: string): string => names.get(id) ?? id
