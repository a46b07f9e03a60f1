/**
 * The built-in providers as people know them: the one list of their ids and names, for the server, the pages and the
 * tests. Browser-safe.
 */
export const builtInNames = {
  anthropic: { name: 'Anthropic', keyPrefix: 'sk-ant-' },
  openai: { name: 'OpenAI', keyPrefix: 'sk-' },
  gemini: { name: 'Google Gemini', keyPrefix: 'AIza' },
  perplexity: { name: 'Perplexity', keyPrefix: 'pplx-' },
  openrouter: { name: 'OpenRouter', keyPrefix: 'sk-or-' },
} as const satisfies Record<string, BuiltInName>

interface BuiltInName {
  name: string
  /** How its keys begin, where that tells them from those of others. */
  keyPrefix: string | null
}

export type BuiltInId = keyof typeof builtInNames
