const names: Record<string, string> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  gemini: 'Google Gemini',
  perplexity: 'Perplexity',
  openrouter: 'OpenRouter',
}

export const providerName = (id: string): string => names[id] ?? id
