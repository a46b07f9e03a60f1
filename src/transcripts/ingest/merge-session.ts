import { pauseMs, type SessionChanges } from '../derive/index.ts'
import type { SessionState } from '../store/session-store.ts'

const maxFiles = 1_000
const maxLinks = 100

/** What lines say about a session, applied to what is stored of it. */
export function mergeSession(state: SessionState, changes: SessionChanges): void {
  state.project = changes.project ?? state.project
  state.git_branch = changes.gitBranch ?? state.git_branch
  state.version = changes.version ?? state.version
  if (changes.titleRank >= state.title_rank && changes.title !== null) {
    state.title = changes.title
    state.title_rank = changes.titleRank
  }
  state.parent_key = changes.parentKey ?? state.parent_key
  state.parent_call_id = changes.parentCallId ?? state.parent_call_id
  if (changes.forkKey !== null) {
    state.fork_key = changes.forkKey
    state.is_fork_inferred = false
  }
  mergeTexts(state, changes)
  state.started_at = least(state.started_at, changes.startedAt)
  state.ended_at = greatest(state.ended_at, changes.endedAt)
  state.files_edited = union(state.files_edited, changes.files, maxFiles)
  for (const link of changes.links)
    if (state.links.length < maxLinks && !state.links.some(({ value }) => value === link.value))
      state.links.push(link)
}

/** The first prompt and the last answer, by their order in the session. */
function mergeTexts(state: SessionState, changes: SessionChanges): void {
  const first = changes.firstPromptOrder
  if (first !== null && first <= (state.first_prompt_order ?? first)) {
    state.first_prompt = changes.firstPrompt
    state.first_prompt_order = first
  }
  const last = changes.lastAnswerOrder
  if (last !== null && last >= (state.last_answer_order ?? last)) {
    state.last_answer = changes.lastAnswer
    state.last_answer_order = last
  }
}

export function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

function greatest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}

function union(known: readonly string[], news: readonly string[], limit: number): string[] {
  return [...new Set([...known, ...news])].slice(0, limit)
}

/** Each time with the pause after it, as PostgreSQL writes ranges. */
export function activeRanges({ active }: Pick<SessionChanges, 'active'>): string {
  const ranges = active.map(([from, to]) => `["${timeText(from)}","${timeText(to + pauseMs)}")`)
  return `{${ranges.join(',')}}`
}

/** JavaScript writes the year 10000, in which the last pause of 9999 ends, as +010000. */
const timeText = (at: number): string => new Date(at).toISOString().replace('+0', '')
