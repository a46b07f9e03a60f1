import { isComparable } from '#console/contract'
import { maxValue, metadataTerm } from './metadata-terms.ts'

export interface MetadataEntry {
  /** `request.headers.0` */
  path: string
  /** What a filter by this value has; undefined where there is none. */
  term?: string
  /** As it is shown and copied. */
  text: string
  kind: 'text' | 'link' | 'request'
}

/** A record with more entries is shown as JSON only. */
export const maxEntries = 200

const kindOf = (value: unknown): MetadataEntry['kind'] => {
  if (typeof value !== 'string') return 'text'
  if (/^req_[0-9a-f]{32}$/.test(value)) return 'request'
  return /^https?:\/\/[^\s]+$/.test(value) ? 'link' : 'text'
}

/** Every value with its path, in the order of the record. Empty arrays and objects are values too. */
export function entriesOf(metadata: Record<string, unknown>): MetadataEntry[] {
  const entries: MetadataEntry[] = []
  const walk = (names: readonly string[], value: unknown): void => {
    if (entries.length > maxEntries) return
    const parts = value !== null && typeof value === 'object' ? Object.entries(value) : []
    const path = names.join('.')
    if (parts.length > 0) for (const [name, part] of parts) walk([...names, name], part)
    else if (path !== '')
      entries.push({
        path,
        ...(isComparable(value) &&
          String(value).length <= maxValue && { term: metadataTerm(names, String(value)) }),
        text: typeof value === 'string' ? value : JSON.stringify(value),
        kind: kindOf(value),
      })
  }
  walk([], metadata)
  return entries
}
