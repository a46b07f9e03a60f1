import { newId } from '#kernel/uuid'
import { assistantIds, type AssistantId } from '../assistants/index.ts'
import type { Derived, SessionChanges } from '../derive/index.ts'
import type { TranscriptSearch } from '../search/index.ts'
import { storeMessages } from '../store/message-store.ts'
import {
  addSessions,
  deletedKeys,
  sessionsByKey,
  sessionsByNo,
  unlistSubagents,
  writeSessions,
  type SessionState,
} from '../store/session-store.ts'
import { linkSources, type Db } from '../store/source-store.ts'
import { findUsage, saveUnknown, saveUsage } from '../store/usage-store.ts'
import { plainSummary } from '../summary/plain.ts'
import { activeRanges, least, mergeSession } from './merge-session.ts'
import { mergeUsage } from './merge-usage.ts'

/** Records of one session that are kept to be shown; all are in the raw lines. */
const maxUnknown = 1_000

export interface DerivedFrom {
  group: number
  assistant: AssistantId
  machine: string
  sourceNo: string
  /** The parser's. */
  version: number
  /** Of a subagent's file: the session that started it. */
  parentKey: string | null
  bornAt: number | null
}

/**
 * Stores what lines amount to, in the caller's transaction, which holds the lock of the group's assistant. Returns the
 * keys of sessions of which nothing was stored, because they were deleted on request.
 */
export async function storeDerived(
  db: Db,
  search: TranscriptSearch,
  from: DerivedFrom,
  derived: Derived,
): Promise<string[]> {
  const kept = await keptSessions(db, from, derived.sessions)
  const erased = derived.sessions.filter((each) => !kept.includes(each)).map(({ key }) => key)
  if (kept.length === 0) return erased
  const states = await statesOf(db, from, kept)
  const nos = derived.sessions.map(({ key }) => states.get(key)?.no ?? null)
  await linkSources(
    db,
    from.sourceNo,
    nos.filter((no) => no !== null),
  )
  for (const changes of kept) {
    const state = states.get(changes.key)
    if (state === undefined) continue
    state.born_at = least(state.born_at, from.bornAt)
    mergeSession(state, changes)
  }
  const appeared = await countMessages(db, from, derived, nos, states)
  await search.add(db, { ...from, assistant: assistantIds.indexOf(from.assistant) }, derived, nos)
  const others = await countUsage(db, from, derived, states)
  await keepUnknown(db, derived, states)
  await write(db, derived, [...states.values(), ...others])
  if (appeared.length > 0) await unlistSubagents(db, from, appeared)
  return erased
}

/** All sessions but those that were deleted on request, and subagents of such. */
async function keptSessions(
  db: Db,
  from: DerivedFrom,
  sessions: readonly SessionChanges[],
): Promise<SessionChanges[]> {
  const keysOf = ({ key, parentKey }: SessionChanges) => [key, parentKey ?? from.parentKey ?? key]
  const deleted = await deletedKeys(db, from, sessions.flatMap(keysOf))
  return sessions.filter((each) => !keysOf(each).some((key) => deleted.has(key)))
}

async function statesOf(
  db: Db,
  from: DerivedFrom,
  sessions: readonly SessionChanges[],
): Promise<Map<string, SessionState>> {
  const keys = sessions.map(({ key }) => key)
  const known = await sessionsByKey(db, from, keys)
  const isKnown = new Set(known.map(({ external_id }) => external_id))
  const missing = keys.filter((key) => !isKnown.has(key))
  if (missing.length > 0) {
    const made = missing.map((key) => ({ id: newId(), key }))
    await addSessions(db, from, from.machine, made)
    known.push(...(await sessionsByKey(db, from, missing)))
  }
  return new Map(known.map((state) => [state.external_id, state]))
}

/** Returns the keys of sessions that had no message before. */
async function countMessages(
  db: Db,
  from: DerivedFrom,
  { messages }: Derived,
  nos: readonly (string | null)[],
  states: ReadonlyMap<string, SessionState>,
): Promise<string[]> {
  if (messages.count === 0) return []
  const inserted = await storeMessages(db, from.version, nos, messages)
  const byNo = new Map([...states.values()].map((state) => [state.no, state]))
  return inserted.flatMap((counts) => {
    const state = byNo.get(counts.session_no)
    if (state === undefined) return []
    const isFirst = state.message_count === 0
    state.message_count += counts.messages
    state.tool_call_count += counts.tool_calls
    state.prompt_count += counts.prompts
    return isFirst ? [state.external_id] : []
  })
}

/** Returns other sessions whose counts changed. */
async function countUsage(
  db: Db,
  from: DerivedFrom,
  { usage, sessions }: Derived,
  states: ReadonlyMap<string, SessionState>,
): Promise<SessionState[]> {
  if (usage.length === 0) return []
  const assistant = assistantIds.indexOf(from.assistant)
  const stored = await findUsage(
    db,
    from.group,
    assistant,
    usage.map(({ key }) => key),
  )
  const byNo = new Map([...states.values()].map((state) => [state.no, state]))
  const strangers = [...new Set(stored.map(({ session_no }) => session_no))].filter((no) => !byNo.has(no))
  const others = strangers.length === 0 ? [] : await sessionsByNo(db, strangers)
  for (const state of others) byNo.set(state.no, state)
  const changed = mergeUsage(
    usage,
    ({ session }) => states.get(sessions[session]?.key ?? ''),
    new Map(stored.map((each) => [each.key, each])),
    byNo,
    from.version,
  )
  if (changed.length > 0) await saveUsage(db, from.group, assistant, from.version, changed)
  return others
}

async function keepUnknown(
  db: Db,
  { unknown, sessions }: Derived,
  states: ReadonlyMap<string, SessionState>,
): Promise<void> {
  const room = new Map([...states.values()].map((state) => [state.no, maxUnknown - state.unknown_records]))
  const records = unknown.flatMap(({ session, ...record }) => {
    const state = states.get(sessions[session]?.key ?? '')
    if (state === undefined) return []
    const left = room.get(state.no) ?? 0
    room.set(state.no, left - 1)
    return left > 0 ? [{ ...record, sessionNo: state.no }] : []
  })
  if (records.length === 0) return
  const added = await saveUnknown(db, records)
  for (const state of states.values()) state.unknown_records += added.get(state.no) ?? 0
}

async function write(db: Db, { sessions }: Derived, states: readonly SessionState[]): Promise<void> {
  const changes = new Map(sessions.map((each) => [each.key, each]))
  await writeSessions(
    db,
    states.map((state) => {
      const own = changes.get(state.external_id)
      return {
        ...state,
        summary: state.has_model_summary ? state.summary : plainSummary(state),
        active: own === undefined ? '{}' : activeRanges(own),
      }
    }),
  )
}
