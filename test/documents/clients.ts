import assert from 'node:assert/strict'
import { clientBlock } from './blocks.ts'

type RunBy = 'npm test' | 'npm run clients:python' | 'npm run agents'

/** A block of docs/clients that is run as it is, with the models whose requests are in the usage log afterwards. */
interface ClientRun {
  page: string
  file: string
  runBy: RunBy
  models: string[]
}

const [claude, gpt, gemini] = ['claude-sonnet-5-5', 'gpt-6-sol', 'gemini-3.8-flash']
const test = { runBy: 'npm test' } as const
const python = { runBy: 'npm run clients:python' } as const
const agent = { file: 'ask.sh', runBy: 'npm run agents', models: [claude] } as const

export const clientRuns: readonly ClientRun[] = [
  { ...test, page: 'curl.md', file: 'chat.sh', models: [gpt] },
  { ...test, page: 'curl.md', file: 'responses.sh', models: [gemini] },
  { ...test, page: 'curl.md', file: 'messages.sh', models: [claude] },
  { ...test, page: 'openai.md', file: 'hello.mjs', models: [claude, gpt] },
  { ...python, page: 'openai.md', file: 'hello.py', models: [claude, gpt] },
  { ...test, page: 'anthropic.md', file: 'hello.mjs', models: [gpt] },
  { ...python, page: 'anthropic.md', file: 'hello.py', models: [gpt] },
  { ...test, page: 'ai-sdk.md', file: 'chat.mjs', models: [claude] },
  { ...test, page: 'ai-sdk.md', file: 'responses.mjs', models: [gpt] },
  { ...test, page: 'langchain.md', file: 'hello.mjs', models: [claude] },
  { ...python, page: 'langchain.md', file: 'hello.py', models: [claude] },
  { ...python, page: 'llamaindex.md', file: 'hello.py', models: [claude] },
  { ...python, page: 'pydantic-ai.md', file: 'chat.py', models: [claude] },
  { ...python, page: 'pydantic-ai.md', file: 'messages.py', models: [gpt] },
  { ...test, page: 'cursor.md', file: 'chat.sh', models: [claude] },
  ...['claude-code.md', 'codex.md', 'opencode.md', 'cline.md', 'continue.md'].map((page) => ({
    ...agent,
    page,
    models: [...agent.models],
  })),
]

/** Where the settings of a coding assistant belong; those in a shell script are read before it is asked. */
export const settingsFiles: Readonly<Record<string, string | undefined>> = {
  'config.toml': '.codex/config.toml',
  'opencode.json': '.config/opencode/opencode.json',
  'config.yaml': '.continue/config.yaml',
  'settings.sh': undefined,
}

interface Place {
  url: string
  key: string
}

/**
 * Runs the block and looks at what a reader of the page would look at: the reply, in one piece or as a stream, and
 * the newest entries of the usage log. An assistant also asks for titles and such.
 */
export async function checkRun(
  place: Place,
  { page, file, models, runBy }: ClientRun,
  run: (source: string) => Promise<string>,
): Promise<void> {
  const newest = (await readLog(place))[0]?.id
  const output = await run(clientBlock(page, file, place.url))
  for (const word of ['Echo:', 'Say', 'hello.']) assert.ok(output.includes(word), output)
  const log = await readLog(place)
  const added = log.slice(0, newest === undefined ? undefined : log.findIndex(({ id }) => id === newest))
  const found = added.map(({ model, status_code }) => `${model} ${status_code}`).toReversed()
  const expected = models.map((model) => `${model} 200`)
  assert.deepEqual(runBy === 'npm run agents' ? [...new Set(found)] : found, expected)
  for (const { total_cost } of added) assert.ok(Number(total_cost) > 0, 'it has a cost')
}

interface Entry {
  id: string
  model: string
  status_code: number
  total_cost: string | null
}

async function readLog({ url, key }: Place): Promise<Entry[]> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/api/v1/logs?limit=50`, { headers })
  return ((await response.json()) as { data: Entry[] }).data
}
