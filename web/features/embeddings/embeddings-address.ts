const views = ['compare', 'state'] as const

export interface EmbeddingsAddress {
  /** Without it a text is tried. */
  view?: (typeof views)[number]
}

export function readEmbeddingsAddress(search: Record<string, unknown>): EmbeddingsAddress {
  const view = views.find((candidate) => candidate === search['view'])
  return view ? { view } : {}
}
