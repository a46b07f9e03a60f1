import type { IncomingHttpHeaders } from 'node:http'

/** The session of a coding assistant that a request belongs to, by the assistant's own ids. */
export interface SessionKeys {
  sessionKey: string | null
  /** Where a subagent of the session sends the request. */
  subagentKey: string | null
}

/** Pairs of headers, the first that names a session counts. The second names the one that speaks, which may be a subagent. */
const pairs = [
  // For anybody.
  ['x-signalbox-session', 'x-signalbox-subagent'],
  // Claude Code
  ['x-claude-code-session-id', 'x-claude-code-agent-id'],
  // Codex: the root of the session, and the thread.
  ['session-id', 'thread-id'],
  // opencode: a subagent also names the session that started it.
  ['x-parent-session-id', 'x-session-id'],
  ['x-session-id', 'x-session-id'],
] as const

/** Codex repeats its ids here, and nowhere else where a proxy drops headers without a prefix. */
const metadataHeader = 'x-codex-turn-metadata'
const maxMetadataLength = 8 * 1024

const none: SessionKeys = { sessionKey: null, subagentKey: null }

/** A value that no assistant would send is dropped: a shortened key would be the key of another session. */
const validKey = /^[\w.:@~/-]{1,200}$/

export function sessionKeysOf(headers: IncomingHttpHeaders): SessionKeys {
  for (const [session, speaker] of pairs) {
    const key = headers[session]
    if (key !== undefined && isKey(key)) return keys(key, headers[speaker])
  }
  const metadata = headers[metadataHeader]
  return typeof metadata === 'string' ? keysInMetadata(metadata) : none
}

function keysInMetadata(text: string): SessionKeys {
  if (text.length > maxMetadataLength) return none
  try {
    const { session_id: session, thread_id: thread } = JSON.parse(text) as Record<string, unknown>
    return isKey(session) ? keys(session, thread) : none
  } catch {
    return none
  }
}

function keys(sessionKey: string, speaker: unknown): SessionKeys {
  return { sessionKey, subagentKey: isKey(speaker) && speaker !== sessionKey ? speaker : null }
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && validKey.test(value)
}
