/** What the rules still find. These lists only ever get shorter. */

export const knownWallViolations: string[] = [
  'src/usage/cost/golden.test.ts -> ../../gateway/providers/index.ts',
  'src/usage/cost/golden.test.ts -> ../../gateway/apis/transcription/usage.ts',
  'web/features/embeddings/compare-texts.tsx -> ../search/search-failure.tsx',
  'web/features/embeddings/index-card.tsx -> ../search/search-queries.ts',
  'web/features/embeddings/snippet.ts -> ../playground/literals.ts',
  'web/features/embeddings/state-view.tsx -> ../search/search-failure.tsx',
  'web/features/embeddings/try-text.tsx -> ../search/search-failure.tsx',
  'web/features/home/use-steps.ts -> ../keys/key-queries.ts',
  'web/features/home/use-steps.ts -> ../providers/provider-queries.ts',
  'web/features/home/use-steps.ts -> ../search/search-queries.ts',
  'web/features/home/use-steps.ts -> ../usage/usage-queries.ts',
  'web/features/keys/overrides-editor.tsx -> ../providers/provider-queries.ts',
  'web/features/keys/overrides.ts -> ../providers/provider-state.ts',
  'web/features/keys/overrides.ts -> ../providers/types.ts',
  'web/features/logs/cost-section.tsx -> ../usage/price-dialog.tsx',
  'web/features/logs/cost-section.tsx -> ../usage/price-words.ts',
  'web/features/logs/log-filter.tsx -> ../usage/filter-selects.tsx',
  'web/features/logs/log-queries.ts -> ../usage/usage-filter.ts',
  'web/features/logs/log-summary.tsx -> ../usage/usage-queries.ts',
  'web/features/logs/logs-page.tsx -> ../usage/filter-selects.tsx',
  'web/features/logs/logs-page.tsx -> ../usage/usage-queries.ts',
  'web/features/logs/logs-search.ts -> ../usage/usage-filter.ts',
]

export const knownUpwardImports: string[] = ['src/gateway/request/complete.ts -> ../apis/index.ts']

export const knownCircles: string[] = [
  'src/vault/routes/accounts.ts <-> src/vault/routes/index.ts <-> src/vault/routes/keys.ts <-> src/vault/routes/providers.ts',
  'src/gateway/providers/openai/responses/input.ts <-> src/gateway/providers/openai/responses/parts.ts',
  'src/gateway/apis/messages/marks.ts <-> src/gateway/apis/messages/parts.ts',
  'src/gateway/apis/messages/assistant.ts <-> src/gateway/apis/messages/conversation.ts',
  'test/fake-provider/record.ts <-> test/fake-provider/reply.ts',
  'bench/gateway/ceilings.ts <-> bench/gateway/report.ts',
]
