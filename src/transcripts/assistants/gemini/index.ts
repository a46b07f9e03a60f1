import { join } from 'node:path'
import type { Assistant, Source } from '../assistant.ts'
import { hasAny, hasBelow } from '../layout.ts'
import { openChat } from './chat.ts'

const chatFile = /^tmp\/[^/]+\/chats\/session-[^/]+\.(jsonl|json)$/
const subagentFile = /^tmp\/[^/]+\/chats\/([^/]+)\/([^/]+)\.jsonl$/

export const gemini: Assistant = {
  id: 'gemini',
  version: 4,
  roots: (home) => [join(home, '.gemini')],
  folders: ['tmp'],
  isRoot: async (folder) =>
    (await hasBelow(join(folder, 'tmp'), /^(?:chats|\.project_root|logs\.json)$/)) ||
    ((await hasAny(folder, ['tmp'])) && (await hasAny(folder, ['projects.json', 'google_accounts.json']))),
  source(path): Source | null {
    const extension = chatFile.exec(path)?.[1]
    // The name has only the first 8 digits of the session's id: the first line has all of them.
    if (extension !== undefined)
      return { form: extension === 'json' ? 'document' : 'lines', sessionKey: null, role: 'session' }
    const [, parentKey, id] = subagentFile.exec(path) ?? []
    if (parentKey === undefined || id === undefined) return null
    return { form: 'lines', sessionKey: id, role: 'subagent', parentKey }
  },
  open: openChat,
}
