import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Run } from '#agents/contract'
import { startFakeProvider, type ReplySource } from '#fake-provider'
import { serveFrom, start, type Started } from '../gateway/processes.ts'
import { killNow } from '../ledger/server.ts'
import { requestFor, type Step } from './model.ts'

export type AgentId = 'platform' | 'things' | 'both'

export interface Scene extends AsyncDisposable {
  /** The home folder of the server and of everything that it starts. */
  home: string
  serverPid(): number
  ask(agent: AgentId, steps: readonly Step[]): Promise<void>
  answer(runId: string): Promise<void>
  runs(status?: Run['status']): Promise<Run[]>
  /** Kill -9 of the server alone, and a new one. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const things = { command: process.execPath, args: [join(import.meta.dirname, 'tool-server.ts')] }
const platform = { command: 'signalbox', args: ['mcp'] }
const servers: Record<AgentId, object> = {
  platform: { platform },
  things: { things },
  both: { things, platform },
}
const policy = {
  allowed_databases: ['application'],
  allowed_operations: ['SELECT'],
  requires_approval: ['CREATE'],
  environment: 'dev',
}

/** `signalbox serve` as users start it, with its embedded database, a scripted model and three agents. */
export async function setScene(model: ReplySource): Promise<Scene> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-agents-'))
  // As root, the database server runs as another user and has its socket in here.
  chmodSync(home, 0o711)
  const fake = await startFakeProvider()
  fake.always('openai', model)
  const begin = (): Promise<Started> =>
    start({
      args: serveFrom(),
      environment: {
        ...fake.baseUrls,
        HOME: home,
        HOST: '127.0.0.1',
        PORT: '0',
        WORKERS: '1',
        DATA_DIR: join(home, 'data'),
        OPENAI_API_KEY: 'sk-bench-0123456789abcdef',
        LOG_LEVEL: 'warn',
        LOG_FORMAT: 'json',
      },
      ready: /is ready at .*\n/,
    })
  let server = await begin()
  const token = /\/\?token=(\S+)/.exec(server.output)?.[1] ?? ''

  async function call(path: string, json?: object): Promise<unknown> {
    const url = /ready at (http[^\s/]*\/\/[^\s/]+)/.exec(server.output)?.[1] ?? ''
    const response = await fetch(`${url}${path}`, {
      headers: { 'x-owner-token': token, ...(json && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(20_000),
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  for (const [id, mcp_servers] of Object.entries(servers))
    await call('/api/agents', { id, name: id, model: 'gpt-6-sol', config: { mcp_servers, policy } })
  return {
    home,
    serverPid: () => server.pid,
    ask: async (agent, steps) =>
      void (await call(`/api/agents/${agent}/ask`, { request: requestFor(steps), async: true })),
    answer: async (id) => void (await call(`/api/agent-runs/${id}/answer`, { text: 'The second one.' })),
    runs: (status) => listRuns(call, status),
    async restart() {
      killNow(server.pid)
      server = await begin()
    },
    stop: () => server.stop(),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await fake.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

async function listRuns(call: (path: string) => Promise<unknown>, status?: string): Promise<Run[]> {
  const found: Run[] = []
  const query = status === undefined ? '' : `&status=${status}`
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = (await call(
      `/api/agent-runs?limit=100${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )) as { data: Run[]; next_cursor: string | null }
    found.push(...page.data)
    cursor = page.next_cursor
  }
  return found
}
