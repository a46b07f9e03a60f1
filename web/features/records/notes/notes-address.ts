import { readTexts, readWord } from '../address.ts'

export interface NotesAddress {
  service_id?: string
  tag?: string
  log_type?: string
  category?: string
  author_kind?: 'human' | 'ai'
  since?: string
  until?: string
  /** The form for a new one is open. */
  new?: true
}

/** The search parameters of the pages; unknown ones are dropped. */
export function readNotesAddress(search: Record<string, unknown>): NotesAddress {
  const kind = readWord(search['author_kind'], ['human', 'ai'] as const)
  return {
    ...readTexts(search, ['service_id', 'tag', 'log_type', 'category', 'since', 'until']),
    ...(kind && { author_kind: kind }),
    ...(search['new'] === true && { new: true }),
  }
}
