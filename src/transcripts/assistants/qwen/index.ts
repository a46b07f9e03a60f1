import { join } from 'node:path'
import type { Assistant, LineReader, Source } from '../assistant.ts'
import { defined, stringOf } from '../json.ts'
import { hasBelow } from '../layout.ts'
import { recordReader } from '../record-reader.ts'
import { openChat } from './chat.ts'

const chatFile = /^projects\/[^/]+\/chats\/([^/]+)\.jsonl$/
const subagentFile = /^projects\/[^/]+\/(?:chats\/)?subagents\/([^/]+)\/(agent-[^/]+?)\.(jsonl|meta\.json)$/

export const qwen: Assistant = {
  id: 'qwen',
  version: 3,
  roots: (home) => [join(home, '.qwen')],
  folders: ['projects'],
  isRoot: (folder) => hasBelow(join(folder, 'projects'), /^chats$/),
  source(path): Source | null {
    const [, parentKey, agent, extension] = subagentFile.exec(path) ?? []
    if (agent !== undefined && parentKey !== undefined)
      return extension === 'jsonl'
        ? { form: 'lines', sessionKey: agent, role: 'subagent', parentKey }
        : { form: 'document', sessionKey: agent, role: 'side-file', parentKey }
    const chat = chatFile.exec(path)?.[1]
    return chat === undefined ? null : { form: 'lines', sessionKey: chat, role: 'session' }
  },
  open: (source, state) => (source.role === 'side-file' ? openMeta(source) : openChat(source, state)),
}

/** `agent-….meta.json`: what started the subagent. */
function openMeta({ sessionKey, parentKey }: Source): LineReader {
  return recordReader(
    () => sessionKey,
    null,
    (meta, changes) => {
      const text = stringOf(meta['description']) ?? stringOf(meta['title']) ?? stringOf(meta['agentType'])
      changes.session(
        sessionKey ?? '',
        defined({
          parentKey,
          parentCallKey:
            stringOf(meta['toolUseId']) ?? stringOf(meta['toolCallId']) ?? stringOf(meta['callId']),
          title: text === undefined ? undefined : { text, source: 'generated' as const },
        }),
      )
    },
  )
}
