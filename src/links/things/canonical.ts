import { invalidField, notFound } from '#kernel/errors'
import { isUuid } from '#kernel/uuid'
import type { ThingRef, ThingType } from '../shapes/thing.ts'

const sha = /^[0-9a-f]{7,64}$/i
const slug = /^[a-z0-9][a-z0-9._-]{0,62}$/

/** What the ID of each type is; anything else cannot name one, so it does not exist. */
const forms: Readonly<Record<ThingType, (id: string) => string | undefined>> = {
  request: requestId,
  session: uuidOf,
  commit: (id) => (sha.test(id) ? id.toLowerCase() : undefined),
  pull_request: pullRequestUrl,
  deployment: uuidOf,
  incident: uuidOf,
  service: (id) => uuidOf(id) ?? (slug.test(id) ? id : undefined),
  ticket: uuidOf,
  run: uuidOf,
  sql_change: uuidOf,
  standup: uuidOf,
  decision: uuidOf,
  initiative: (id) => uuidOf(id) ?? (slug.test(id) ? id : undefined),
}

function uuidOf(id: string): string | undefined {
  return isUuid(id) ? id.toLowerCase() : undefined
}

/** With or without its prefix and hyphens. */
function requestId(id: string): string | undefined {
  const hex = id.replace(/^req_/, '').replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? `req_${hex}` : undefined
}

/** The address of its page, without what a browser adds to it: a tab, a question, a place. It ends with its number. */
function pullRequestUrl(text: string): string | undefined {
  // An index of links holds two of them.
  if (Buffer.byteLength(text) > 1_000) return undefined
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const parts = (text.split(/[?#]/)[0] ?? '').split('/')
  // Parts 0 to 2 are the protocol and the host.
  const tab = parts.findIndex((part, place) => place > 3 && tabs.has(part) && isNumber(parts[place - 1]))
  const page = tab < 0 ? parts : parts.slice(0, tab)
  return page.length > 3 && isNumber(page.at(-1)) ? page.join('/') : undefined
}

const tabs = new Set(['files', 'commits', 'checks', 'changes', 'diffs'])
const isNumber = (part: string | undefined): boolean => /^\d{1,10}$/.test(part ?? '')

export function canonical({ type, id }: ThingRef): ThingRef {
  const written = forms[type](id)
  if (written === undefined) {
    if (type === 'commit')
      throw invalidField('id', 'must be the hash of a commit: 7 to 64 hexadecimal digits')
    if (type === 'pull_request') throw invalidField('id', 'must be the address of the page of a pull request')
    throw notFound(names[type])
  }
  return { type, id: written }
}

export const names: Readonly<Record<ThingType, string>> = {
  request: 'The request',
  session: 'The session',
  commit: 'The commit',
  pull_request: 'The pull request',
  deployment: 'The deployment',
  incident: 'The incident',
  service: 'The service',
  ticket: 'The ticket',
  run: 'The run',
  sql_change: 'The SQL change',
  standup: 'The stand-up',
  decision: 'The decision',
  initiative: 'The initiative',
}
