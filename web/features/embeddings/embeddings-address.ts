const views = ['compare', 'state'] as const

export interface EmbeddingsAddress {
  /** Absent for the first tab. */
  view?: (typeof views)[number]
}

export function readEmbeddingsAddress(search: Record<string, unknown>): EmbeddingsAddress {
  const view = views.find((candidate) => candidate === search['view'])
  return view ? { view } : {}
}
