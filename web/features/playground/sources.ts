/** A page that a response cites. */
export interface Source {
  /** Its number in the provider's list, used by marks such as [2] in the text; null if it is only cited. */
  number: number | null
  url: string
  host: string
  title: string
}

/** Far more than any provider sends; protects the page from a faulty one. */
const maxSources = 100

/** The list beside the choices. `search_results` have titles; `citations` are bare addresses. */
export function listedSources(chunk: { search_results?: unknown; citations?: unknown }): Source[] {
  const results = listOf(chunk.search_results)
  const entries = results.length > 0 ? results : listOf(chunk.citations).map((url) => ({ url }))
  return entries.slice(0, maxSources).flatMap((entry, index) => {
    const { id, url, title } = membersOf(entry)
    const number = typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : index + 1
    return sourceOf(url, title, number)
  })
}

/** The pages that annotations of a message cite. */
export function citedSources(annotations: unknown): Source[] {
  return listOf(annotations)
    .slice(0, maxSources)
    .flatMap((annotation) => {
      const { type, url_citation: citation } = membersOf(annotation)
      const { url, title } = membersOf(citation)
      return type === 'url_citation' ? sourceOf(url, title, null) : []
    })
}

/** Each page once, with its first number and first title. */
export function mergeSources(...lists: (readonly Source[])[]): Source[] {
  const merged = new Map<string, Source>()
  for (const source of lists.flat()) {
    const before = merged.get(source.url)
    if (!before && merged.size >= maxSources) continue
    const { number, title } = before ?? source
    merged.set(source.url, { ...source, number: number ?? source.number, title: title || source.title })
  }
  return [...merged.values()]
}

/** Listed sources with their own numbers, then those that are only cited. */
export function numberSources(sources: readonly Source[]): (Source & { number: number })[] {
  const listed = sources.filter((source) => source.number !== null)
  let last = Math.max(0, ...listed.map(({ number }) => number ?? 0))
  return [
    ...listed.toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0)),
    ...sources.filter((source) => source.number === null),
  ].map((source) => ({ ...source, number: source.number ?? ++last }))
}

/** Only web addresses become links; anything else is dropped. */
function sourceOf(address: unknown, title: unknown, number: number | null): Source[] {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return []
  // A user name in an address can be made to look like the host.
  url.username = ''
  url.password = ''
  const name = typeof title === 'string' ? title.trim().slice(0, 300) : ''
  return [{ number, url: url.href, host: url.host, title: name }]
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function membersOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
