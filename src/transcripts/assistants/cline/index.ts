import { join } from 'node:path'
import type { Assistant, Source } from '../assistant.ts'
import { hasBelow } from '../layout.ts'
import { openManifest } from './manifest.ts'
import { openMessages } from './messages.ts'

/** `data/sessions/<id>/<id>.json` and `<id>.messages.json`; a subagent's are named after the agent. */
const sessionFile = /^(?:data\/)?sessions\/([^/]+)\/([^/]+?)(\.messages)?\.json$/

export const cline: Assistant = {
  id: 'cline',
  version: 3,
  roots: (home) => [join(home, '.cline')],
  folders: ['sessions', 'data/sessions'],
  async isRoot(folder) {
    for (const sessions of ['data/sessions', 'sessions'])
      if (await hasBelow(join(folder, sessions), /\.messages\.json$/)) return true
    return false
  },
  source(path): Source | null {
    const [, folder, name, isMessages] = sessionFile.exec(path) ?? []
    if (folder === undefined || name === undefined) return null
    const isMain = name === folder
    if (isMessages === undefined)
      return isMain ? { form: 'document', sessionKey: folder, role: 'side-file' } : null
    return isMain
      ? { form: 'document', sessionKey: folder, role: 'session' }
      : { form: 'document', sessionKey: name, role: 'subagent', parentKey: folder }
  },
  open: (source, state) => (source.role === 'side-file' ? openManifest(source) : openMessages(source, state)),
}
