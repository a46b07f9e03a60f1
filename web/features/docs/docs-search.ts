export interface DocsSearch {
  q?: string
  /** The operation that stands open, as its id. */
  open?: string
}

export function readDocsSearch(search: Record<string, unknown>): DocsSearch {
  return {
    ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
    ...(typeof search['open'] === 'string' ? { open: search['open'] } : {}),
  }
}
