export interface ProvidersSearch {
  /** The add-key dialog is open: for this provider, or `any` to recognise it from the key. */
  add?: string
  /** The add-provider dialog is open. */
  new?: true
}

export function readProvidersSearch(search: Record<string, unknown>): ProvidersSearch {
  return {
    ...(typeof search['add'] === 'string' && search['add'] !== '' ? { add: search['add'] } : {}),
    ...(search['new'] === true ? { new: true } : {}),
  }
}
