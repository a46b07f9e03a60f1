import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Snapshot } from '../assistant.ts'
import { objectOf, parseObject, stringOf, type JsonObject } from '../json.ts'
import { advanced, marksOf, start, type Mark } from './changed-since.ts'

/** A larger file is not looked at. */
const maxBytes = 67_108_864
/**
 * A file is written in place, and its time is only as exact as the kernel's clock: one that changed this lately may change
 * again without looking newer, so it is sent now and looked at again.
 */
const settledMs = 100

/** A file of a message or a part. */
interface Entry {
  id: string
  path: string
  time: number
  /** The message that it is or belongs to. */
  messageId: string
}

/**
 * What changed in a session that opencode before 1.2 keeps in files, as rows of the database of later releases:
 * `session/<project>/<session>.json`, `message/<session>/<message>.json`, `part/<message>/<part>.json`.
 */
export function snapshotOfFiles(file: string, cursor: unknown, limit: number): Snapshot {
  const session = new StoredSession(file)
  const marks = marksOf(cursor)
  const lines: string[] = []
  let hasMore = false
  const messages = session.messages()
  const tables = {
    session: session.self(),
    message: messages,
    part: messages.flatMap(({ id }) => session.parts(id)),
  }
  const isSettled = settledAt(Date.now())
  for (const [table, entries] of Object.entries(tables)) {
    const changed = changedSince(entries, marks[table])
    const taken = changed.slice(0, limit)
    const settled = taken.filter(isSettled)
    if (settled.length < changed.length && settled.length === taken.length) hasMore = true
    for (const entry of taken) lines.push(JSON.stringify({ table, ...session.row(table, entry) }))
    marks[table] = advanced(marks[table], settled)
  }
  return { lines, cursor: marks, hasMore }
}

/** A time that is still to come would never be settled. */
const settledAt =
  (now: number) =>
  ({ time }: Entry): boolean =>
    time < now - settledMs || time > now

function changedSince(entries: readonly Entry[], { time: since, id: last = '', ids }: Mark = start): Entry[] {
  const known = new Set(ids)
  return entries
    .filter(({ id, time }) => time > since || (time === since && id > last && !known.has(id)))
    .toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
}

/** Ids come from names of files, never from what is in them, so no path leads out of the storage. */
class StoredSession {
  readonly #file: string
  readonly #id: string
  readonly #storage: string
  readonly #info: JsonObject
  readonly #read = new Map<string, JsonObject>()

  constructor(file: string) {
    this.#file = file
    this.#id = basename(file, '.json')
    this.#storage = dirname(dirname(dirname(file)))
    this.#info = objectOf(readJson(file))
  }

  self(): Entry[] {
    return entriesOf(this.#file, this.#id)
  }

  messages(): Entry[] {
    return this.#entries(['message', this.#id], (id) => id)
  }

  parts(messageId: string): Entry[] {
    return this.#entries(['part', messageId], () => messageId)
  }

  #entries([kind, folder]: [string, string], messageOf: (id: string) => string): Entry[] {
    const path = join(this.#storage, kind, folder)
    if (!isFolder(join(this.#storage, kind)) || !isFolder(path)) return []
    return readdirSync(path)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => entriesOf(join(path, name), messageOf(basename(name, '.json'))))
  }

  row(table: string, { id, path, messageId }: Entry): JsonObject {
    if (table === 'session') return this.#sessionRow()
    const message = this.#message(messageId)
    const created = objectOf(message['time'])['created']
    const own = { id, session_id: this.#id, time_created: created }
    if (table === 'message') return { ...own, data: message }
    const { role, modelID, summary } = message
    // Of a user's message, the summary has whole files.
    const shown = { role, modelID, ...(summary === true && { summary }) }
    const parent = stringOf(this.#info['parentID']) ?? null
    return {
      ...own,
      message_id: messageId,
      data: readJson(path) ?? null,
      message: shown,
      parent_id: parent,
    }
  }

  #sessionRow(): JsonObject {
    const { parentID, directory, title, version, time } = this.#info
    const { created } = objectOf(time)
    const row = { id: this.#id, time_created: created, parent_id: parentID, directory, title, version }
    return { ...row, storage: 'files' }
  }

  #message(id: string): JsonObject {
    const known = this.#read.get(id)
    if (known !== undefined) return known
    const message = objectOf(readJson(join(this.#storage, 'message', this.#id, `${id}.json`)))
    this.#read.set(id, message)
    return message
  }
}

/** One, or none where there is no such file. */
function entriesOf(path: string, messageId: string): Entry[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() !== true || stat.size > maxBytes) return []
  return [{ id: basename(path, '.json'), path, time: stat.mtimeMs, messageId }]
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Undefined: not JSON, or being written at the moment. No link is followed. */
function readJson(path: string): JsonObject | undefined {
  let handle: number | undefined
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    return parseObject(readFileSync(handle, 'utf8'))
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
