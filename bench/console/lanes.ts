import { processorMicroseconds } from '../gateway/processes.ts'
import { databaseTime } from '../search/processor-time.ts'
import type { Product } from '../usage-scale/product.ts'
import { createEvent, createRandom } from './corpus.ts'

export interface Laned {
  writers: number
  perSecond: number
  inDatabase: number
  inServer: number
  /** Of the fastest group, for each event of the slowest. */
  spread: number
}

const perCall = 1_000
const callsAtOnce = 2

/** Groups at the same time, each with senders of its own that never stop, for some seconds. */
export async function ingestByGroup(product: Product, writers: number, seconds: number): Promise<Laned> {
  const groups = await Promise.all(Array.from({ length: writers }, (_, at) => addGroup(product, at)))
  const random = createRandom(1)
  const events = Array.from({ length: 20 }, () => Array.from({ length: perCall }, () => createEvent(random)))
  const before = { database: databaseTime(product.folder), server: processorMicroseconds(product.pid) ?? NaN }
  const started = performance.now()
  const until = started + seconds * 1_000
  const counts = groups.map(() => 0)
  const send = async (group: string, at: number): Promise<void> => {
    const bodies = events.map((batch) => JSON.stringify(batch))
    for (let call = 0; performance.now() < until; call++) {
      await post(product, group, bodies[call % bodies.length] ?? '[]')
      counts[at] = (counts[at] ?? 0) + perCall
    }
  }
  await Promise.all(groups.flatMap((group, at) => Array.from({ length: callsAtOnce }, () => send(group, at))))
  const took = (performance.now() - started) / 1_000
  const total = counts.reduce((sum, count) => sum + count, 0)
  return {
    writers,
    perSecond: Math.round(total / took),
    inDatabase: Math.round(((databaseTime(product.folder) - before.database) * 1_000) / total),
    inServer: Math.round(((processorMicroseconds(product.pid) ?? NaN) - before.server) / total),
    spread: Math.round((Math.max(...counts) / Math.max(1, Math.min(...counts))) * 10) / 10,
  }
}

export async function addGroup({ url, owner }: Product, at: number): Promise<string> {
  const response = await fetch(`${url}/api/v1/groups`, {
    method: 'POST',
    headers: { ...owner, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Writer ${at + 1} ${Date.now()}` }),
  })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

async function post({ url, owner }: Product, group: string, body: string): Promise<void> {
  const response = await fetch(`${url}/api/console/events?group_id=${group}`, {
    method: 'POST',
    headers: { ...owner, 'content-type': 'application/json' },
    body,
  })
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}
