import { readTexts, readWord } from '../address.ts'

export interface IncidentsAddress {
  service?: string
  status?: 'open' | 'closed'
  since?: string
  until?: string
  /** The form for a new one is open. */
  new?: true
}

/** The search parameters of the page; unknown ones are dropped. */
export function readIncidentsAddress(search: Record<string, unknown>): IncidentsAddress {
  const status = readWord(search['status'], ['open', 'closed'] as const)
  return {
    ...readTexts(search, ['service', 'since', 'until']),
    ...(status && { status }),
    ...(search['new'] === true && { new: true }),
  }
}
