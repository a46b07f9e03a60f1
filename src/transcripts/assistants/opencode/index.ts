import { join } from 'node:path'
import type { Assistant, Source } from '../assistant.ts'
import { hasAny, namesIn } from '../layout.ts'
import { openRows } from './rows.ts'
import { snapshot } from './snapshot.ts'

const databaseFile = /^opencode(?:-[\w.-]+)?\.db$/
/** Before release 1.2. The messages and parts of a session are in files beside it, which its snapshot reads. */
const sessionFile = /^storage\/session\/[^/]+\/(ses_[^/]+)\.json$/
const messageFolder = /^storage\/message\/(ses_[^/]+)(?:\/|$)/

export const opencode: Assistant = {
  id: 'opencode',
  version: 4,
  roots: (home) => [join(home, '.local/share/opencode'), join(home, 'Library/Application Support/opencode')],
  // Parts have a folder for each message, too many to watch; what ends a step also changes the message.
  folders: ['storage/session', 'storage/message'],
  isRoot: async (folder) =>
    (await namesIn(folder)).some((name) => databaseFile.test(name)) || hasAny(folder, ['storage/part']),
  source(path): Source | null {
    if (databaseFile.test(path)) return { form: 'database', sessionKey: null, role: 'session' }
    const sessionKey = sessionFile.exec(path)?.[1]
    return sessionKey === undefined ? null : { form: 'database', sessionKey, role: 'session' }
  },
  changedSession: (path) => messageFolder.exec(path)?.[1] ?? null,
  open: (_source, state) => openRows(state),
  snapshot,
}
