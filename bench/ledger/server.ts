import { readFileSync } from 'node:fs'
import { serveFrom, start } from '../gateway/processes.ts'

export interface Server {
  url: string
  /** Only a first start prints it. */
  key: string | undefined
  pid: number
  /** Processes that share the port, when there are several. */
  workers(): number[]
  /** Kill -9, of all its processes. */
  kill(): void
  stop(): Promise<void>
}

export interface ServerOptions {
  dataDir: string
  databaseUrl: string
  upstream: Readonly<Record<string, string>>
  workers: number
}

/** `signalbox serve` as users start it, with keys of the fake providers. */
export async function startServer({
  dataDir,
  databaseUrl,
  upstream,
  workers,
}: ServerOptions): Promise<Server> {
  const { pid, output, stop } = await start({
    args: serveFrom(),
    environment: {
      ...upstream,
      HOST: '127.0.0.1',
      PORT: '0',
      WORKERS: String(workers),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      OPENAI_API_KEY: 'sk-bench-0123456789abcdef',
      ANTHROPIC_API_KEY: 'sk-ant-bench-0123456789abcdef',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
    },
    ready: /is ready at .*\n/,
  })
  return {
    url: /ready at (http\S+)/.exec(output)?.[1] ?? '',
    key: /sb-[A-Za-z0-9_-]{20,}/.exec(output)?.[0],
    pid,
    workers: () => childrenOf(pid),
    kill() {
      for (const each of [pid, ...childrenOf(pid)]) killNow(each)
    },
    stop,
  }
}

export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already ended.
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
