import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const session = 'ses_469cf929cffeBICghRNeI7BWy6'
export const child = 'ses_469cf8111ffeA1b2C3d4E5f6G7'
const project = '4b0ea68d7af9a6031a7ffda7ad66e0cb83315750'

export const sessionPath = (id = session): string => `storage/session/${project}/${id}.json`

/** An id as opencode makes them: twelve digits of time and counter, then fourteen that are random. */
const idOf = (kind: 'msg' | 'prt', count: number): string =>
  `${kind}_b96306d8${count.toString(16).padStart(4, '0')}UHECFoapZ6W4q0`

/** Written as release 1.1 does, with the time of the change on the file. */
export function store(root: string, path: string, content: unknown, time = 1_760_000_000): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(content, null, 2))
  utimesSync(file, time, time)
}

export function storeSession(root: string, id = session, fields: object = {}): void {
  store(root, sessionPath(id), {
    id,
    slug: 'quiet-forest',
    version: '1.1.36',
    projectID: project,
    directory: '/home/dev/shop',
    title: 'Total of the basket',
    time: { created: 1_759_999_000_000, updated: 1_759_999_100_000 },
    ...fields,
  })
}

const person = {
  role: 'user',
  time: { created: 1_759_999_001_000 },
  summary: { title: 'Total', diffs: [{ file: 'total.ts', before: 'whole file', after: 'whole file' }] },
  agent: 'build',
  model: { providerID: 'anthropic', modelID: 'claude-opus-5' },
}
export const reply = {
  role: 'assistant',
  time: { created: 1_759_999_002_000, completed: 1_759_999_009_000 },
  parentID: idOf('msg', 1),
  modelID: 'claude-opus-5',
  providerID: 'anthropic',
  mode: 'build',
  agent: 'build',
  path: { cwd: '/home/dev/shop', root: '/home/dev/shop' },
  cost: 0,
  tokens: { input: 80, output: 10, reasoning: 5, cache: { read: 20, write: 0 } },
  finish: 'stop',
}

export function storeMessage(root: string, count: number, data: object, of = session, time?: number): string {
  const id = idOf('msg', count)
  store(root, `storage/message/${of}/${id}.json`, { id, sessionID: of, ...data }, time)
  return id
}

export function storePart(
  root: string,
  message: string,
  count: number,
  data: object,
  of = session,
  time?: number,
): string {
  const id = idOf('prt', count)
  store(root, `storage/part/${message}/${id}.json`, { id, sessionID: of, messageID: message, ...data }, time)
  return id
}

/** A prompt, an answer with a call of a tool, and a subagent. */
export function storeConversation(root: string): void {
  storeSession(root)
  const asked = storeMessage(root, 1, person)
  storePart(root, asked, 2, { type: 'text', text: 'fix the total' })
  storePart(root, asked, 3, { type: 'text', text: 'Called the Read tool', synthetic: true })
  const answered = storeMessage(root, 4, reply)
  storePart(root, answered, 5, { type: 'step-start', snapshot: 'c0ffee' })
  storePart(root, answered, 6, { type: 'reasoning', text: 'A file.', time: { start: 1_759_999_003_000 } })
  storePart(root, answered, 7, {
    type: 'tool',
    callID: 'toolu_1',
    tool: 'edit',
    state: {
      status: 'completed',
      input: { filePath: '/home/dev/shop/total.ts' },
      output: 'Edited.',
      title: 'total.ts',
      metadata: {},
      time: { start: 1_759_999_004_000, end: 1_759_999_005_000 },
    },
  })
  storePart(root, answered, 8, { type: 'text', text: 'Done.', time: { start: 1_759_999_006_000 } })
  storePart(root, answered, 9, { type: 'step-finish', reason: 'stop', cost: 0, tokens: reply.tokens })
  storeSession(root, child, { title: 'Count (@general subagent)', parentID: session })
  const task = storeMessage(root, 16, person, child)
  storePart(root, task, 17, { type: 'text', text: 'Count the files.' }, child)
}

export const expectedMessages = {
  [session]: [
    'user text human fix the total',
    'system text injected Called the Read tool',
    'assistant thinking A file.',
    'assistant tool_call edit',
    'tool tool_result Edited.',
    'assistant text Done.',
  ],
  [child]: ['user text injected Count the files.'],
}
