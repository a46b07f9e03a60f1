import { join } from 'node:path'
import type { Assistant } from '../assistant.ts'
import { namesIn } from '../layout.ts'
import { openRows } from './rows.ts'
import { snapshot } from './snapshot.ts'

const databaseFile = /^opencode(?:-[\w.-]+)?\.db$/

export const opencode: Assistant = {
  id: 'opencode',
  version: 2,
  roots: (home) => [join(home, '.local/share/opencode'), join(home, 'Library/Application Support/opencode')],
  folders: [],
  isRoot: async (folder) => (await namesIn(folder)).some((name) => databaseFile.test(name)),
  source: (path) =>
    databaseFile.test(path) ? { form: 'database', sessionKey: null, role: 'session' } : null,
  open: () => openRows(),
  snapshot,
}
