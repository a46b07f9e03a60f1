export interface SearchAddress {
  /** What is looked for. */
  q?: string
  /** Only these kinds, separated by commas. */
  kinds?: string
  /** `kinds`: each kind apart, instead of the best first. */
  view?: 'kinds'
}

/** What the address says about the search; a number in it is what somebody typed. */
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
