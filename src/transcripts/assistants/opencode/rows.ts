import type { LineReader, MessageChange, SessionPatch } from '../assistant.ts'
import type { Calls } from '../calls.ts'
import { countOf, dateOf, defined, objectOf, arrayOf, stringOf, type JsonObject } from '../json.ts'
import { recordReader, shortHash, savedState, type Changes } from '../record-reader.ts'
import { readTool } from './tools.ts'
import type { PartContext } from './context.ts'
import { emitFile } from './files.ts'

const silent = new Set(['step-start', 'step-finish', 'snapshot', 'agent', 'subtask'])

export function openRows(saved: unknown): LineReader {
  const state = savedState<{ calls: Calls }>(saved, { calls: {} })
  return recordReader(
    () => null,
    state,
    (row, changes) => {
      const { table } = row
      // Also a row that shows nothing says whose it is: rows of a deleted session are not kept.
      const owner = stringOf(table === 'session' ? row['id'] : row['session_id'])
      if (owner !== undefined) changes.list.push({ kind: 'session', sessionKey: owner, patch: {} })
      if (table === 'session') readSession(row, changes)
      else if (table === 'message') readMessage(row, changes)
      else if (table === 'part') readPart(row, changes, state.calls)
      else changes.unknown(null, `row of table ${String(table)}`)
    },
  )
}

function readSession(row: JsonObject, changes: Changes): void {
  const title = stringOf(row['title'])
  // The name before a title is there: "New session - 2026-11-16T…".
  const hasTitle = title !== undefined && !/^(?:New|Child) session - /.test(title)
  const isFromFiles = row['storage'] === 'files'
  changes.session(
    stringOf(row['id']) ?? '',
    defined<SessionPatch>({
      project: stringOf(row['directory']),
      version: stringOf(row['version']),
      parentKey: stringOf(row['parent_id']),
      startedAt: dateOf(row['time_created']),
      // The files of an earlier release stay behind when the database gets the session, which may then be renamed.
      title: hasTitle ? { text: title, source: isFromFiles ? 'summary' : 'generated' } : undefined,
    }),
  )
}

function readMessage(row: JsonObject, changes: Changes): void {
  const sessionKey = stringOf(row['session_id']) ?? ''
  const data = objectOf(row['data'])
  const time = objectOf(data['time'])
  const at = dateOf(time['completed']) ?? dateOf(time['created'])
  const { cache, ...counts } = objectOf(data['tokens'])
  const cached = countOf(objectOf(cache)['read'])
  const cacheWrite = countOf(objectOf(cache)['write'])
  const tokens = {
    input: countOf(counts['input']) + cached + cacheWrite,
    cached,
    cacheWrite,
    output: countOf(counts['output']) + countOf(counts['reasoning']),
  }
  const model = stringOf(data['modelID'])
  // A fork copies messages under new ids: only their times and counts show that they are the same call.
  const key = `${countOf(time['created'])}/${shortHash(JSON.stringify([model, tokens, time['completed']]))}`
  // The counts of a message are stored before its end is, and would be those of a second call.
  if (time['completed'] !== undefined) changes.usage(sessionKey, key, model, tokens, at)
  const error = objectOf(data['error'])
  const content = stringOf(objectOf(error['data'])['message']) ?? stringOf(error['name'])
  if (content !== undefined)
    changes.message(
      sessionKey,
      {
        ...defined({ createdAt: at }),
        key: `${String(row['id'])}/error`,
        role: 'system',
        kind: 'text',
        origin: 'injected',
        content,
        isError: true,
      },
      timeOrder(at?.getTime() ?? 0),
    )
}

/** Ids begin with the time of their creation in 36 bits of milliseconds and 12 bits of a counter. */
function orderOf(id: string, row: JsonObject): number {
  const time = /^[a-z]+_([0-9a-f]{12})/.exec(id)?.[1]
  return time === undefined ? timeOrder(countOf(row['time_created'])) : Number.parseInt(time, 16) / 4096
}

function timeOrder(milliseconds: number): number {
  return milliseconds % 2 ** 36
}

function readPart(row: JsonObject, changes: Changes, calls: Calls): void {
  const sessionKey = stringOf(row['session_id']) ?? ''
  const part = objectOf(row['data'])
  const message = objectOf(row['message'])
  const type = stringOf(part['type']) ?? ''
  const base = defined<Partial<MessageChange>>({
    createdAt: dateOf(objectOf(part['time'])['start']) ?? dateOf(row['time_created']),
    model: message['role'] === 'assistant' ? stringOf(message['modelID']) : undefined,
    isSidechain: typeof row['parent_id'] === 'string' ? true : undefined,
  })
  let emitted = 0
  const context: PartContext = {
    sessionKey,
    changes,
    id: stringOf(row['id']) ?? String(changes.position),
    part,
    message,
    isSubagent: typeof row['parent_id'] === 'string',
    calls,
    emit: (each) =>
      changes.message(
        sessionKey,
        { ...base, ...each },
        orderOf(String(row['id']), row) + emitted++ / 2 ** 16,
      ),
  }
  if (type === 'text') readText(context)
  else if (type === 'reasoning') readReasoning(context)
  else if (type === 'tool') readTool(context)
  else if (type === 'file') emitFile(context, part, context.id)
  else if (type === 'patch')
    changes.filesEdited(
      sessionKey,
      arrayOf(part['files']).filter((file) => typeof file === 'string'),
    )
  else if (type === 'compaction') emitNotice(context, 'Conversation compacted', 'summary')
  else if (type === 'retry') emitNotice(context, retryText(part), 'text')
  else if (!silent.has(type)) changes.unknown(sessionKey, `part of type ${type}`)
}

function readText({ part, message, id, isSubagent, emit }: PartContext): void {
  const text = stringOf(part['text'])
  if (text === undefined) return
  if (message['role'] === 'assistant') {
    const isSummary = message['summary'] === true
    emit({ key: id, role: 'assistant', kind: isSummary ? 'summary' : 'text', content: text })
    return
  }
  const isInjected = part['synthetic'] === true || part['ignored'] === true || isSubagent
  const role = isInjected && !isSubagent ? 'system' : 'user'
  const content = isInjected ? text : unquoted(text)
  emit({ key: id, role, kind: 'text', origin: isInjected ? 'injected' : 'human', content })
}

/** `opencode run` stores the prompt in quotation marks. */
function unquoted(text: string): string {
  const inner = /^"([\s\S]*)"\s*$/.exec(text)?.[1]
  return inner === undefined || /(?<!\\)"/.test(inner) ? text : inner.replaceAll('\\"', '"')
}

function readReasoning({ part, id, emit }: PartContext): void {
  const content = stringOf(part['text'])
  if (content !== undefined) emit({ key: id, role: 'assistant', kind: 'thinking', content })
}

function emitNotice({ id, emit }: PartContext, content: string, kind: 'summary' | 'text'): void {
  const isError = kind === 'text' ? { isError: true } : {}
  emit({ key: id, role: 'system', kind, origin: 'injected', content, ...isError })
}

function retryText(part: JsonObject): string {
  const error = objectOf(part['error'])
  return stringOf(objectOf(error['data'])['message']) ?? stringOf(error['name']) ?? 'Request retried'
}
