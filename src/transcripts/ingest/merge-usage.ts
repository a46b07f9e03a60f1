import type { UsageRow } from '../derive/index.ts'
import type { SessionState } from '../store/session-store.ts'
import type { NewUsage, StoredUsage } from '../store/usage-store.ts'

/**
 * Counts each response once. Where two sessions have it, the original owns it: the one that the other names, else the
 * one that began earlier, else the one whose file is older, else the one whose key sorts first. The order in which they
 * arrive decides nothing.
 */
export function mergeUsage(
  rows: readonly UsageRow[],
  sessionOf: (row: UsageRow) => SessionState | undefined,
  stored: ReadonlyMap<string, StoredUsage>,
  byNo: ReadonlyMap<string, SessionState>,
  version: number,
): NewUsage[] {
  const changed = new Map<string, NewUsage>()
  const current = new Map(stored)
  for (const row of rows) {
    const session = sessionOf(row)
    if (session === undefined) continue
    const known = current.get(row.key)
    const owner = known && byNo.get(known.session_no)
    const owns = owner === undefined || isOriginal(session, owner)
    if (owner !== undefined && owner !== session) noteFork(owns ? owner : session, owns ? session : owner)
    // What an older parser counted may be wrong, larger or not.
    const isOlder = known !== undefined && known.version < version
    const isLarger = known === undefined || isOlder || row.tokens.output > known.output_tokens
    if (!isLarger && (owner === session || !owns)) continue
    if (known !== undefined && owner !== undefined) add(owner, countsOf(known), known.model, -1)
    const winner = owns ? session : (owner ?? session)
    const counted = isLarger || known === undefined ? row : { ...row, ...valuesOf(known) }
    add(winner, counted.tokens, counted.model, 1)
    const { key, at } = row
    const { model, tokens } = counted
    changed.set(key, { key, sessionNo: winner.no, model, tokens, at })
    current.set(key, { key, version, session_no: winner.no, model, ...columnsOf(tokens) })
  }
  return [...changed.values()]
}

function isOriginal(session: SessionState, owner: SessionState): boolean {
  if (session === owner) return true
  if (!session.is_fork_inferred && session.fork_key === owner.external_id) return false
  if (!owner.is_fork_inferred && owner.fork_key === session.external_id) return true
  for (const time of ['started_at', 'born_at'] as const) {
    const [mine, other] = [session[time], owner[time]]
    if (mine !== null && other !== null && mine !== other) return mine < other
  }
  return session.external_id < owner.external_id
}

/** A session that repeats another's responses was forked from it, unless it is a part of it. */
function noteFork(copy: SessionState, original: SessionState): void {
  const isRelated = copy.parent_key === original.external_id || original.parent_key === copy.external_id
  if (isRelated || (copy.fork_key !== null && !copy.is_fork_inferred)) return
  copy.fork_key = original.external_id
  copy.is_fork_inferred = true
  if (original.is_fork_inferred && original.fork_key === copy.external_id) {
    original.fork_key = null
    original.is_fork_inferred = false
  }
}

interface Counts {
  input: number
  cached: number
  cacheWrite: number
  output: number
}

function countsOf(usage: StoredUsage): Counts {
  return {
    input: usage.input_tokens,
    cached: usage.cached_tokens,
    cacheWrite: usage.cache_write_tokens,
    output: usage.output_tokens,
  }
}

function columnsOf(tokens: Counts) {
  return {
    input_tokens: tokens.input,
    cached_tokens: tokens.cached,
    cache_write_tokens: tokens.cacheWrite,
    output_tokens: tokens.output,
  }
}

const valuesOf = (usage: StoredUsage) => ({ model: usage.model, tokens: countsOf(usage) })

function add(session: SessionState, tokens: Counts, model: string | null, sign: 1 | -1): void {
  session.input_tokens += sign * tokens.input
  session.cached_tokens += sign * tokens.cached
  session.cache_write_tokens += sign * tokens.cacheWrite
  session.output_tokens += sign * tokens.output
  if (model === null) return
  const responses = (session.models[model] ?? 0) + sign
  session.models = Object.fromEntries(
    Object.entries({ ...session.models, [model]: responses }).filter(([, count]) => count > 0),
  )
}
