/** A page that an answer rests on. */
export interface Source {
  /** Its place in the provider's own list, which marks such as [2] in the text refer to; null for one only cited. */
  number: number | null
  url: string
  host: string
  title: string
}

/** Far more than any provider names; what a broken one sends beyond does not fill the page. */
const most = 100

/** The list beside the choices. `search_results` say more than `citations`, which are bare addresses. */
export function listedSources(chunk: { search_results?: unknown; citations?: unknown }): Source[] {
  const results = listOf(chunk.search_results)
  const told = results.length > 0 ? results : listOf(chunk.citations).map((url) => ({ url }))
  return told.slice(0, most).flatMap((entry, index) => {
    const { id, url, title } = membersOf(entry)
    const number = typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : index + 1
    return sourceOf(url, title, number)
  })
}

/** The pages that annotations of a message point at. */
export function citedSources(annotations: unknown): Source[] {
  return listOf(annotations)
    .slice(0, most)
    .flatMap((annotation) => {
      const { type, url_citation: citation } = membersOf(annotation)
      const { url, title } = membersOf(citation)
      return type === 'url_citation' ? sourceOf(url, title, null) : []
    })
}

/** Each page once, under its first number and with the first title that anybody gave it. */
export function mergeSources(...lists: (readonly Source[])[]): Source[] {
  const merged = new Map<string, Source>()
  for (const source of lists.flat()) {
    const before = merged.get(source.url)
    if (!before && merged.size >= most) continue
    const { number, title } = before ?? source
    merged.set(source.url, { ...source, number: number ?? source.number, title: title || source.title })
  }
  return [...merged.values()]
}

/** Listed ones under their own numbers, then those that are only cited. */
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
  // A name before the host is there to be taken for it.
  url.username = ''
  url.password = ''
  const name = typeof title === 'string' ? title.trim().slice(0, 300) : ''
  return [{ number, url: url.href, host: url.host, title: name }]
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function membersOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
