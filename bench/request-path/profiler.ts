import { once } from 'node:events'

/** For each file, by its path below the folder, the functions that were called. */
export type CalledFunctions = Map<string, Set<string>>

export interface Profiler {
  /** What was called since the last time. */
  take(): Promise<CalledFunctions>
  close(): void
}

interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[]
}

/** Counts the calls of every function in a Node process that was started with --inspect on this port. */
export async function connectProfiler(port: number, folderUrl: string): Promise<Profiler> {
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [inspected] = (await listed.json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(inspected?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: { message: string } }
    const waiting = pending.get(reply.id ?? 0)
    pending.delete(reply.id ?? 0)
    if (reply.error) waiting?.reject(new Error(reply.error.message))
    else waiting?.resolve(reply.result)
  })

  let lastId = 0
  function call(method: string, params: object = {}): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>()
    pending.set(++lastId, waiting)
    socket.send(JSON.stringify({ id: lastId, method, params }))
    return waiting.promise
  }

  await call('Profiler.enable')
  await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    take: async () => calledIn((await call('Profiler.takePreciseCoverage')) as Coverage, folderUrl),
    close: () => socket.close(),
  }
}

function calledIn({ result }: Coverage, folderUrl: string): CalledFunctions {
  const called: CalledFunctions = new Map()
  for (const { url, functions } of result) {
    if (!url.startsWith(folderUrl)) continue
    const names = functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName || '(anonymous)')
    if (names.length > 0) called.set(url.slice(folderUrl.length), new Set(names))
  }
  return called
}
