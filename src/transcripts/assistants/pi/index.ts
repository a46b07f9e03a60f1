import { join } from 'node:path'
import type { Assistant } from '../assistant.ts'
import { hasBelow } from '../layout.ts'
import { openSession } from './session.ts'

/** `sessions/--<path>--/<time>_<id>.jsonl`; below `~/.pi` one folder deeper. */
const sessionFile = /^(?:agent\/)?sessions\/[^/]+\/[^/]*?_([^/_]+)\.jsonl$/

export const pi: Assistant = {
  id: 'pi',
  version: 3,
  roots: (home) => [join(home, '.pi/agent')],
  folders: ['sessions', 'agent/sessions'],
  async isRoot(folder) {
    for (const sessions of ['sessions', 'agent/sessions'])
      if (await hasBelow(join(folder, sessions), /^\d{4}-\d\d-\d\dT.*_.+\.jsonl$/)) return true
    return false
  },
  source(path) {
    const id = sessionFile.exec(path)?.[1]
    return id === undefined ? null : { form: 'lines', sessionKey: id, role: 'session' }
  },
  open: openSession,
}
