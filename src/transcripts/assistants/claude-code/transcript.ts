import type { LineReader, MessageChange, Source } from '../assistant.ts'
import { dateOf, defined, objectOf, stringOf, type JsonObject } from '../json.ts'
import { recordReader, remember, savedState, type Changes } from '../record-reader.ts'
import { readAssistant } from './assistant-record.ts'
import { readSystem } from './system-record.ts'
import { readAttachment, readUser } from './user-record.ts'
import type { TranscriptState, RecordContext } from './context.ts'

/** Records that repeat what others say, or hold state of the program. */
const silent = new Set([
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'atis-latch',
  'attribution-snapshot',
  'agent-color',
  'agent-setting',
  'bridge-session',
  'content-replacement',
  'cost-state',
  'derived-from',
  'file-history-delta',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'progress',
  'queue-operation',
  'repl-mode',
  'tag',
  'tools-used',
])

export function openTranscript(source: Source, saved: unknown): LineReader {
  const sessionKey = source.sessionKey ?? ''
  const state = savedState<TranscriptState>(saved, {
    reported: {},
    keyOf: {},
    lastKey: null,
    blocksOf: {},
    calls: {},
  })
  const reader = recordReader(
    () => sessionKey,
    state,
    (record, changes) => {
      if (source.parentKey !== undefined) report(state, changes, sessionKey, { parentKey: source.parentKey })
      readRecord(record, changes, source, state)
    },
  )
  return {
    read: (line, position) => (isSilent(line) ? [] : reader.read(line, position)),
    state: () => reader.state(),
  }
}

/** Most bytes of a file are in such records: they are recognized by their beginning, without parsing them. */
function isSilent(line: string): boolean {
  const type = /^\{"type":"([a-z-]+)"/.exec(line)?.[1]
  if (type !== undefined) return silent.has(type) && line.endsWith('}')
  return isProgress(line)
}

/** What a tool reports while it runs: gigabytes in old files, and nothing that a later record does not say. */
export function isProgress(line: string): boolean {
  if (line.startsWith('{"type":"progress"')) return true
  return /^\{"(?:parentUuid|isSidechain|uuid)"/.test(line) && line.slice(0, 400).includes('"type":"progress"')
}

function readRecord(record: JsonObject, changes: Changes, source: Source, state: TranscriptState): void {
  const sessionKey = source.sessionKey ?? ''
  const parent = stringOf(record['parentUuid']) ?? stringOf(record['logicalParentUuid'])
  // The parent may be a record that is not parsed: the message before it is the nearest then.
  let lastKey = parent === undefined ? undefined : (state.keyOf[parent] ?? state.lastKey ?? undefined)
  const context: RecordContext = {
    sessionKey,
    isSubagent: source.role === 'subagent',
    state,
    changes,
    record,
    emit(message) {
      const base = defined<Partial<MessageChange>>({
        parentKey: lastKey,
        createdAt: dateOf(record['timestamp']),
        isSidechain: record['isSidechain'] === true ? true : undefined,
      })
      changes.message(sessionKey, { ...base, ...message })
      lastKey = message.key
    },
  }
  reportSession(context)
  readType(context)
  const uuid = stringOf(record['uuid'])
  if (uuid !== undefined && lastKey !== undefined) remember(state.keyOf, uuid, lastKey)
  state.lastKey = lastKey ?? state.lastKey
}

function readType(context: RecordContext): void {
  const { record, changes, sessionKey } = context
  const type = stringOf(record['type']) ?? 'without type'
  if (silent.has(type)) return
  if (type === 'user') readUser(context)
  else if (type === 'assistant') readAssistant(context)
  else if (type === 'system') readSystem(context)
  else if (type === 'attachment') readAttachment(context)
  else if (!readMetadata(context, type)) changes.unknown(sessionKey, `record of type ${type}`)
}

function readMetadata({ record, changes, sessionKey, state }: RecordContext, type: string): boolean {
  const title = (field: string, source: 'custom' | 'name' | 'generated' | 'summary') => {
    const text = stringOf(record[field])
    if (text !== undefined) changes.session(sessionKey, { title: { text, source } })
    return true
  }
  if (type === 'custom-title') return title('customTitle', 'custom')
  if (type === 'agent-name') return title('agentName', 'name')
  if (type === 'ai-title') return title('aiTitle', 'generated')
  if (type === 'summary') return title('summary', 'summary')
  if (type === 'pr-link') {
    const value = stringOf(record['prUrl'])
    if (value !== undefined) changes.list.push({ kind: 'link', sessionKey, target: 'pull_request', value })
    return true
  }
  if (type === 'worktree-state') {
    const worktree = objectOf(record['worktreeSession'] ?? record)
    report(
      state,
      changes,
      sessionKey,
      defined({
        project: stringOf(worktree['worktreePath']),
        gitBranch: stringOf(worktree['worktreeBranch']),
      }),
    )
    return true
  }
  if (type === 'relocated') {
    report(state, changes, sessionKey, defined({ project: stringOf(record['relocatedCwd']) }))
    return true
  }
  return false
}

function reportSession({ record, changes, sessionKey, state }: RecordContext): void {
  const fork = stringOf(objectOf(record['forkedFrom'])['sessionId'])
  report(
    state,
    changes,
    sessionKey,
    defined({
      project: stringOf(record['cwd']),
      gitBranch: stringOf(record['gitBranch']),
      version: stringOf(record['version']),
      forkedFrom: fork === sessionKey ? undefined : fork,
    }),
  )
}

/** The project is where the session began: a command that changes the folder does not move the session. */
function report(state: TranscriptState, changes: Changes, sessionKey: string, fields: JsonObject): void {
  const news = Object.entries(fields).filter(([name, value]) =>
    name === 'project' ? state.reported[name] === undefined : state.reported[name] !== value,
  )
  if (news.length === 0) return
  Object.assign(state.reported, Object.fromEntries(news))
  changes.session(sessionKey, Object.fromEntries(news))
}
