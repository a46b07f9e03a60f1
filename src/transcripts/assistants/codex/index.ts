import { join } from 'node:path'
import type { Assistant, LineReader, Source } from '../assistant.ts'
import { hasAny } from '../layout.ts'
import { stringOf } from '../json.ts'
import { recordReader } from '../record-reader.ts'
import { openRollout } from './rollout.ts'

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** Files that are a week old may be packed. A reverted thread continues in a second file, named after both. */
const rolloutFile = new RegExp(
  `^(?:sessions/(?:\\d+/){3}|archived_sessions/)rollout-[^/]*?(${uuid})(?:_${uuid})?\\.jsonl(\\.zst)?$`,
)

export const codex: Assistant = {
  id: 'codex',
  version: 4,
  roots: (home) => [join(home, '.codex')],
  folders: ['sessions', 'archived_sessions'],
  isRoot: async (folder) =>
    (await hasAny(folder, ['sessions', 'archived_sessions'])) &&
    (await hasAny(folder, ['config.toml', 'auth.json', 'installation_id', 'history.jsonl', ...years()])),
  source(path): Source | null {
    const [, thread, packed] = rolloutFile.exec(path) ?? []
    const isCompressed = packed === undefined ? {} : { isCompressed: true }
    if (thread !== undefined) return { form: 'lines', sessionKey: thread, role: 'session', ...isCompressed }
    if (path === 'session_index.jsonl') return { form: 'lines', sessionKey: null, role: 'side-file' }
    return null
  },
  open: (source, state) => (source.role === 'side-file' ? openIndex() : openRollout(source, state)),
}

function years(): string[] {
  const now = new Date().getUTCFullYear()
  return Array.from({ length: now - 2024 }, (_, index) => `sessions/${2025 + index}`)
}

/** `session_index.jsonl`: the names that `/rename` gave. */
function openIndex(): LineReader {
  return recordReader(
    () => null,
    null,
    (record, changes) => {
      const thread = stringOf(record['id'])
      const text = stringOf(record['thread_name'])
      if (thread === undefined || text === undefined) changes.unknown(null, 'an entry without a name')
      else changes.session(thread, { title: { text, source: 'custom' } })
    },
  )
}
