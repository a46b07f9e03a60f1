import type { z } from 'zod'
import type { customProviderBody } from '#gateway/contract'
import type { Provider } from '#vault/contract'
import { idFromName, readPrefixes } from './prefixes.ts'

/** A custom provider as the form holds it. */
export interface ProviderDraft {
  name: string
  /** Empty while it follows the name. */
  id: string
  base_url: string
  prefixes: string
  docs_url: string
  allow_private: boolean
}

export type ProviderBody = Omit<z.input<typeof customProviderBody>, 'group_id'>

export const emptyDraft: ProviderDraft = {
  name: '',
  id: '',
  base_url: '',
  prefixes: '',
  docs_url: '',
  allow_private: false,
}

/** The server does not return `allow_private`; left out of a change, it stays as it is. */
export const draftOf = (provider: Provider): ProviderDraft => ({
  name: provider.name,
  id: provider.id,
  base_url: provider.base_url,
  prefixes: provider.prefixes.join(', '),
  docs_url: provider.docs_url,
  allow_private: false,
})

export const idOf = (draft: ProviderDraft): string => draft.id.trim() || idFromName(draft.name)

export type ProviderProblems = Partial<Record<keyof ProviderDraft, string>>

export function problemsOf(draft: ProviderDraft): ProviderProblems {
  const problems: ProviderProblems = {}
  if (draft.name.trim() === '') problems.name = 'Enter a name.'
  if (!/^[a-z][a-z0-9-]{1,39}$/.test(idOf(draft)))
    problems.id = 'Use 2 to 40 lowercase letters, digits or hyphens, starting with a letter.'
  if (!isWebAddress(draft.base_url)) problems.base_url = 'Enter a URL such as https://models.example.com/v1.'
  if (readPrefixes(draft.prefixes).length === 0) problems.prefixes = 'Enter at least one prefix.'
  if (draft.docs_url.trim() !== '' && !isWebAddress(draft.docs_url))
    problems.docs_url = 'Enter a URL that starts with https:// or http://, or leave it empty.'
  return problems
}

export function bodyOf(draft: ProviderDraft): ProviderBody {
  const docs = draft.docs_url.trim()
  return {
    id: idOf(draft),
    name: draft.name.trim(),
    base_url: draft.base_url.trim(),
    prefixes: readPrefixes(draft.prefixes),
    ...(docs === '' ? {} : { docs_url: docs }),
    ...(draft.allow_private ? { allow_private: true } : {}),
  }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:$/.test(new URL(text.trim()).protocol)
}
