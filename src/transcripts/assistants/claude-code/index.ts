import { join } from 'node:path'
import type { Assistant, Source } from '../assistant.ts'
import { hasBelow } from '../layout.ts'
import { openMeta, openOutput, openTitle } from './side-files.ts'
import { isProgress, openTranscript } from './transcript.ts'

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const mainFile = new RegExp(`^projects/[^/]+/(${uuid})\\.jsonl$`)
const belowSession = new RegExp(`^projects/[^/]+/(${uuid})/(.+)$`)
const agentFile = /^subagents\/(?:.+\/)?agent-([^/]+)\.(jsonl|meta\.json)$/

export const claudeCode: Assistant = {
  id: 'claude-code',
  version: 3,
  roots: (home) => [join(home, '.claude'), join(home, '.config/claude')],
  folders: ['projects'],
  isRoot: (folder) => hasBelow(join(folder, 'projects'), new RegExp(`^${uuid}(\\.jsonl)?$`)),
  source,
  isBulk: isProgress,
  open(of, state) {
    if (of.role !== 'side-file') return openTranscript(of, state)
    if (of.name === 'meta') return openMeta(of)
    if (of.name === 'title') return openTitle(of)
    return openOutput(of)
  },
}

function source(path: string): Source | null {
  const main = mainFile.exec(path)?.[1]
  if (main !== undefined) return { form: 'lines', sessionKey: main, role: 'session' }
  const [, parentKey, rest] = belowSession.exec(path) ?? []
  if (parentKey === undefined || rest === undefined) return null
  const [, agent, extension] = agentFile.exec(rest) ?? []
  if (agent !== undefined)
    return extension === 'jsonl'
      ? { form: 'lines', sessionKey: agent, role: 'subagent', parentKey }
      : { form: 'document', sessionKey: agent, role: 'side-file', parentKey, name: 'meta' }
  if (rest === 'custom-title.json')
    return { form: 'document', sessionKey: parentKey, role: 'side-file', name: 'title' }
  const output = /^tool-results\/([^/]+)\.(?:txt|json)$/.exec(rest)?.[1]
  if (output === undefined) return null
  return { form: 'document', sessionKey: parentKey, role: 'side-file', name: output }
}
