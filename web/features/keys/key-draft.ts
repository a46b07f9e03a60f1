import type { ApiKey, Scope } from '#access/contract'
import { expiresAt, expiryOf, expiryProblem, type Expiry } from './expiry.ts'
import type { Overrides } from './overrides.ts'

/** A key as the form holds it. */
export interface KeyDraft {
  name: string
  scopes: Scope[]
  expiry: Expiry
  overrides: Overrides
  /** Empty: everything is allowed. */
  models: string[]
  addresses: string[]
}

/** A key as the server takes it. */
export interface KeyBody {
  name: string
  scopes: Scope[]
  expires_at: string | null
  provider_key_overrides: Overrides
  allowed_models: string[] | null
  allowed_addresses: string[] | null
}

/** A new key may call models, or has the first scope that its creator may grant. */
export function newDraft(allowed: readonly Scope[]): KeyDraft {
  const first = allowed.includes('gateway') ? 'gateway' : allowed[0]
  return {
    name: '',
    scopes: first ? [first] : [],
    expiry: { choice: 'never', date: '' },
    overrides: {},
    models: [],
    addresses: [],
  }
}

export function draftOf(key: ApiKey): KeyDraft {
  return {
    name: key.name,
    scopes: [...key.scopes],
    expiry: expiryOf(key.expires_at),
    overrides: key.provider_key_overrides,
    models: key.allowed_models ?? [],
    addresses: key.allowed_addresses ?? [],
  }
}

export type KeyProblems = Partial<Record<keyof KeyDraft, string>>

export function problemsOf(draft: KeyDraft, now: number): KeyProblems {
  const problems: KeyProblems = {}
  const expiry = expiryProblem(draft.expiry, now)
  if (draft.name.trim() === '')
    problems.name = 'Enter a name, such as the app or person that will use the key.'
  if (draft.scopes.length === 0) problems.scopes = 'Choose at least one scope.'
  if (expiry) problems.expiry = expiry
  return problems
}

export function bodyOf(draft: KeyDraft, now: number): KeyBody {
  return {
    name: draft.name.trim(),
    scopes: draft.scopes,
    expires_at: expiresAt(draft.expiry, now),
    provider_key_overrides: draft.overrides,
    allowed_models: listOf(draft.models),
    allowed_addresses: listOf(draft.addresses),
  }
}

const listOf = (entries: string[]): string[] | null => (entries.length === 0 ? null : entries)

/** Only changed fields: an untouched expiry keeps its exact time, not the end of its day. */
export function changesOf(key: ApiKey, draft: KeyDraft, now: number): Partial<KeyBody> {
  const body = bodyOf(draft, now)
  const before = bodyOf(draftOf(key), now)
  const changed = Object.entries(body).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof KeyBody]),
  )
  return Object.fromEntries(changed)
}
