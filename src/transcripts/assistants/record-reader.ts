import { hash } from 'node:crypto'
import type { Change, LineReader, MessageChange, SessionPatch, TokenCounts } from './assistant.ts'
import { isObject, parseObject, type JsonObject } from './json.ts'

/** Collects the changes of one line. */
export class Changes {
  readonly list: Change[] = []
  readonly position: number
  #block = 0

  constructor(position: number) {
    this.position = position
  }

  session(sessionKey: string, patch: SessionPatch): void {
    if (Object.keys(patch).length > 0) this.list.push({ kind: 'session', sessionKey, patch })
  }

  /** Blocks of one line follow each other; a line has fewer than a thousand. */
  message(sessionKey: string, message: Omit<MessageChange, 'order'>, place?: number): void {
    const order = place ?? this.position + Math.min(this.#block++, 999) / 1000
    this.list.push({ kind: 'message', sessionKey, message: { ...withoutNul(message), order } })
  }

  usage(sessionKey: string, key: string, model: string | undefined, tokens: TokenCounts, at?: Date): void {
    if (tokens.input + tokens.output === 0) return
    this.list.push({ kind: 'usage', sessionKey, key, model: model ?? null, tokens, at: at ?? null })
  }

  filesEdited(sessionKey: string, paths: string[]): void {
    if (paths.length > 0) this.list.push({ kind: 'files_edited', sessionKey, paths })
  }

  unknown(sessionKey: string | null, reason: string): void {
    this.list.push({ kind: 'unknown', sessionKey, reason: reason.slice(0, 200) })
  }
}

/** PostgreSQL stores no NUL in text. */
function withoutNul<T extends { content?: string }>(message: T): T {
  if (message.content?.includes('\0') !== true) return message
  return { ...message, content: message.content.replaceAll('\0', '') }
}

/** A state of an earlier parser lacks what that one did not know; it is read by this one in a rolling upgrade. */
export function savedState<S extends object>(saved: unknown, empty: S): S {
  return isObject(saved) ? { ...empty, ...structuredClone(saved) } : empty
}

/** A reader whose lines are JSON objects: a broken line, or one that breaks the parser, is an unknown record. */
export function recordReader<S>(
  sessionKey: () => string | null,
  state: S,
  read: (record: JsonObject, changes: Changes) => void,
): LineReader {
  return {
    read(line, position) {
      const record = parseObject(line)
      const changes = new Changes(position)
      if (record === undefined) changes.unknown(sessionKey(), 'not a JSON object')
      else
        try {
          read(record, changes)
        } catch (error) {
          changes.unknown(sessionKey(), `unreadable: ${error instanceof Error ? error.message : 'fault'}`)
        }
      return changes.list
    },
    state: () => structuredClone(state),
  }
}

export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16)
}

/** How many entries a record has at most: to count them at every change would take longer than all else. */
const sizes = new WeakMap<object, number>()

/** Keeps the newest entries of a record that travels in a reader's state: `limit`, and up to a quarter more. */
export function remember<T>(map: Record<string, T>, key: string, value: T, limit = 200): void {
  delete map[key]
  map[key] = value
  const most = limit * 1.25
  const atMost = (sizes.get(map) ?? most) + 1
  if (atMost <= most) return void sizes.set(map, atMost)
  const keys = Object.keys(map)
  const kept = keys.length > most ? limit : keys.length
  for (const old of keys.slice(0, keys.length - kept)) delete map[old]
  sizes.set(map, kept)
}
