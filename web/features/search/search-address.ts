export interface SearchAddress {
  /** The query. */
  q?: string
  /** Only these kinds, separated by commas. */
  kinds?: string
  /** `kinds`: grouped by kind instead of best match first. */
  view?: 'kinds'
}

/** The search parameters of the page. The router parses a query such as 42 as a number. */
export function readSearchAddress(search: Record<string, unknown>): SearchAddress {
  const textOf = (name: string) =>
    ['string', 'number', 'boolean'].includes(typeof search[name]) ? String(search[name]).trim() : ''
  const [q, kinds] = [textOf('q'), textOf('kinds')]
  return {
    ...(q !== '' && { q }),
    ...(kinds !== '' && { kinds }),
    ...(search['view'] === 'kinds' && { view: 'kinds' as const }),
  }
}

export const kindsOf = ({ kinds }: SearchAddress): string[] => kinds?.split(',').filter(Boolean) ?? []
