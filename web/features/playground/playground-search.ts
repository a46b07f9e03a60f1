export interface PlaygroundSearch {
  /** In the address, so that a link opens the same model. */
  model?: string
}

export function readPlaygroundSearch(search: Record<string, unknown>): PlaygroundSearch {
  return typeof search['model'] === 'string' && search['model'] !== '' ? { model: search['model'] } : {}
}
