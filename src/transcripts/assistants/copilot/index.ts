import { join } from 'node:path'
import type { Assistant } from '../assistant.ts'
import { hasAny } from '../layout.ts'
import { openEvents } from './events.ts'

const eventsFile = /^session-state\/([^/]+)\/events\.jsonl$/

export const copilot: Assistant = {
  id: 'copilot',
  version: 4,
  roots: (home) => [join(home, '.copilot')],
  folders: ['session-state'],
  isRoot: (folder) => hasAny(folder, ['session-state']),
  source(path) {
    const id = eventsFile.exec(path)?.[1]
    return id === undefined ? null : { form: 'lines', sessionKey: id, role: 'session' }
  },
  open: openEvents,
}
