import type { Model } from '#gateway/contract'

export interface ModelGroup {
  provider: string
  models: Model[]
  /** How many more match but are not shown. */
  hidden: number
}

const shownOfEach = 60

/** Models that match all words, by provider. Long lists are cut; more words narrow them down. */
export function groupModels(models: readonly Model[], words: string): ModelGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = models.filter((model) => {
    const text = `${model.id} ${model.name ?? ''} ${model.owned_by}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  return [...Map.groupBy(matching, (model) => model.owned_by)].map(([provider, all]) => ({
    provider,
    models: all.slice(0, shownOfEach),
    hidden: Math.max(0, all.length - shownOfEach),
  }))
}

/** "200K", "1M", "1.05M": as the providers write it. */
export function contextInWords(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}K`
  return `${Number((tokens / 1_000_000).toFixed(2))}M`
}
