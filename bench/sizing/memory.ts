import { once } from 'node:events'
import { get, type ClientRequest, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { residentMegabytes } from '../gateway/processes.ts'
import { ingest } from '../console/ingest.ts'
import type { Product } from '../usage-scale/product.ts'

export interface Memory {
  idle: number
  loaded: number
  /** Kilobytes. */
  perStream: number
  streams: number
  connections: { idle: number; loaded: number }
}

const settleMs = 15_000

export async function measureMemory(product: Product, streams: number): Promise<Memory> {
  await wait(settleMs)
  const idle = residentMegabytes(product.pid) ?? NaN
  const connections = { idle: await countConnections(product), loaded: 0 }
  let loaded = 0
  const watching = setInterval(() => (loaded = Math.max(loaded, residentMegabytes(product.pid) ?? NaN)), 200)
  const counting = setInterval(() => {
    void countConnections(product).then((count) => (connections.loaded = Math.max(connections.loaded, count)))
  }, 500)
  await ingest(product, 100_000, () => undefined)
  clearInterval(watching)
  clearInterval(counting)
  await wait(settleMs)
  const before = residentMegabytes(product.pid) ?? NaN
  const close = await openStreams(product, streams)
  await wait(settleMs)
  const perStream = (((residentMegabytes(product.pid) ?? NaN) - before) * 1_024) / streams
  close()
  return { idle, loaded, perStream, streams, connections }
}

/** Without those of this bench. */
async function countConnections({ database }: Product): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()`,
  )
  return rows[0]?.count ?? NaN
}

async function openStreams({ url, owner }: Product, count: number): Promise<() => void> {
  const requests: ClientRequest[] = []
  for (let at = 0; at < count; at++) {
    const request = get(`${url}/api/console/stream?source=nothing`, { headers: owner, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`a stream was refused: ${response.statusCode}`)
    response.resume()
    requests.push(request)
  }
  return () => {
    for (const request of requests) request.destroy()
  }
}
