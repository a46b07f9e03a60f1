export interface ProvidersSearch {
  /** The dialog for a key is open: for this provider, or `any` for whichever the key belongs to. */
  add?: string
  /** The dialog for an own provider is open. */
  new?: true
}

export function readProvidersSearch(search: Record<string, unknown>): ProvidersSearch {
  return {
    ...(typeof search['add'] === 'string' && search['add'] !== '' ? { add: search['add'] } : {}),
    ...(search['new'] === true ? { new: true } : {}),
  }
}
