import type { Change, TokenCounts } from '../assistants/index.ts'
import { hashKey, mergeRows, toRow, type MessageRow } from './message-row.ts'
import {
  addFiles,
  addLink,
  applyPatch,
  maxKey,
  noChanges,
  noteMessage,
  type SessionChanges,
} from './session-changes.ts'
import { clean, cleanOrNull } from './text.ts'

const maxUnknownLine = 4_096

export interface UsageRow {
  /** The place of the session in the batch. */
  session: number
  key: string
  model: string | null
  tokens: TokenCounts
  at: number | null
}

export interface UnknownRow {
  session: number
  hash: string
  reason: string
  line: string
  isCut: boolean
}

/** What a run of lines amounts to, by session. */
export class Batch {
  readonly sessions: SessionChanges[] = []
  readonly messages: Map<string, MessageRow>[] = []
  readonly usage = new Map<string, UsageRow>()
  readonly unknown: UnknownRow[] = []
  readonly #places = new Map<string, number>()
  /** The session of records that name none. */
  current: string | null

  constructor(sessionKey: string | null) {
    this.current = sessionKey
  }

  apply(change: Change, line: string): void {
    const named = change.sessionKey === '' ? null : change.sessionKey
    const key = cleanOrNull(named ?? this.current ?? undefined, maxKey)
    if (key === null) return
    this.current ??= key
    const place = this.#placeOf(key)
    const session = this.sessions[place]
    if (session === undefined) return
    if (change.kind === 'session') applyPatch(session, change.patch)
    else if (change.kind === 'message') {
      noteMessage(session, change.message)
      this.#merge(place, toRow(change.message))
    } else if (change.kind === 'usage') this.#count(place, change)
    else if (change.kind === 'files_edited') addFiles(session, change.paths)
    else if (change.kind === 'link') addLink(session, change.target, change.value)
    else this.#keepUnknown(place, change.reason, line)
  }

  #placeOf(key: string): number {
    const known = this.#places.get(key)
    if (known !== undefined) return known
    this.#places.set(key, this.sessions.length)
    this.messages.push(new Map())
    return this.sessions.push(noChanges(key)) - 1
  }

  #merge(place: number, row: MessageRow): void {
    const rows = this.messages[place]
    const known = rows?.get(row.key)
    rows?.set(row.key, known === undefined ? row : mergeRows(known, row))
  }

  #count(session: number, { key, model, tokens, at }: Change & { kind: 'usage' }): void {
    const hash = hashKey(key)
    const place = `${session} ${hash}`
    const known = this.usage.get(place)
    if (known !== undefined && known.tokens.output >= tokens.output) return
    const cleaned = cleanOrNull(model ?? undefined, 200)
    this.usage.set(place, { session, key: hash, model: cleaned, tokens, at: at?.getTime() ?? null })
  }

  #keepUnknown(session: number, reason: string, line: string): void {
    this.unknown.push({
      session,
      hash: hashKey(line),
      reason: clean(reason, 200),
      line: clean(line, maxUnknownLine),
      isCut: line.length > maxUnknownLine,
    })
  }
}
