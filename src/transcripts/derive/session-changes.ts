import { titleSources, type MessageChange, type SessionPatch } from '../assistants/index.ts'
import { clean, cleanOrNull } from './text.ts'

const maxText = 2_000
const maxName = 1_000
const maxFiles = 1_000
const maxLinks = 100

/** What a batch of lines says about one session. Null: nothing. */
export interface SessionChanges {
  key: string
  project: string | null
  gitBranch: string | null
  version: string | null
  title: string | null
  titleRank: number
  parentKey: string | null
  parentCallId: string | null
  forkKey: string | null
  firstPrompt: string | null
  firstPromptOrder: number | null
  lastAnswer: string | null
  lastAnswerOrder: number | null
  startedAt: number | null
  endedAt: number | null
  /** Times of messages, merged to ranges whose gaps are longer than the pause that ends activity. */
  active: [from: number, to: number][]
  files: string[]
  links: { target: string; value: string }[]
}

export function noChanges(key: string): SessionChanges {
  return {
    key,
    project: null,
    gitBranch: null,
    version: null,
    title: null,
    titleRank: -1,
    parentKey: null,
    parentCallId: null,
    forkKey: null,
    firstPrompt: null,
    firstPromptOrder: null,
    lastAnswer: null,
    lastAnswerOrder: null,
    startedAt: null,
    endedAt: null,
    active: [],
    files: [],
    links: [],
  }
}

export function applyPatch(session: SessionChanges, patch: SessionPatch): void {
  const { title } = patch
  const rank = title === undefined ? -1 : titleSources.indexOf(title.source)
  if (title !== undefined && rank >= session.titleRank) {
    session.title = clean(title.text, maxName)
    session.titleRank = rank
  }
  session.project = cleanOrNull(patch.project, maxName) ?? session.project
  session.gitBranch = cleanOrNull(patch.gitBranch, maxName) ?? session.gitBranch
  session.version = cleanOrNull(patch.version, 100) ?? session.version
  session.parentKey = keyOrNull(patch.parentKey, session.key) ?? session.parentKey
  session.parentCallId = cleanOrNull(patch.parentCallKey, 200) ?? session.parentCallId
  session.forkKey = keyOrNull(patch.forkedFrom, session.key) ?? session.forkKey
  if (patch.startedAt) addTime(session, patch.startedAt.getTime())
  if (patch.endedAt) addTime(session, patch.endedAt.getTime())
}

/** A session is neither its own parent nor its own original. */
function keyOrNull(key: string | undefined, own: string): string | null {
  const cleaned = cleanOrNull(key, maxKey)
  return cleaned === own ? null : cleaned
}

export const maxKey = 200

export function noteMessage(session: SessionChanges, message: MessageChange): void {
  const at = message.createdAt?.getTime()
  if (at !== undefined) {
    addTime(session, at)
    addActive(session.active, at)
  }
  const { content, order } = message
  if (message.kind !== 'text' || !content || order === undefined || message.isSidechain === true) return
  if (message.role === 'user' && message.origin === 'human') {
    if (session.firstPromptOrder !== null && order > session.firstPromptOrder) return
    session.firstPrompt = clean(content, maxText)
    session.firstPromptOrder = order
  } else if (message.role === 'assistant' && order >= (session.lastAnswerOrder ?? order)) {
    session.lastAnswer = clean(content, maxText)
    session.lastAnswerOrder = order
  }
}

function addTime(session: SessionChanges, at: number): void {
  session.startedAt = Math.min(session.startedAt ?? at, at)
  session.endedAt = Math.max(session.endedAt ?? at, at)
}

export const pauseMs = 5 * 60_000

/** Most times come in order, so the last range is the one to extend. */
function addActive(ranges: [number, number][], at: number): void {
  const last = ranges.at(-1)
  if (last !== undefined && at >= last[0] && at <= last[1] + pauseMs) last[1] = Math.max(last[1], at)
  else ranges.push([at, at])
}

export function addFiles(session: SessionChanges, paths: readonly string[]): void {
  for (const path of paths) {
    const cleaned = clean(path, maxName)
    if (session.files.length < maxFiles && !session.files.includes(cleaned)) session.files.push(cleaned)
  }
}

export function addLink(session: SessionChanges, target: string, value: string): void {
  const cleaned = clean(value, maxName)
  if (session.links.length < maxLinks && !session.links.some((link) => link.value === cleaned))
    session.links.push({ target, value: cleaned })
}
