import { processorMicroseconds } from '../gateway/processes.ts'
import { databaseTime } from '../search/processor-time.ts'
import type { Product } from '../usage-scale/product.ts'
import { createEvent, createRandom } from './corpus.ts'

export interface Ingested {
  events: number
  perSecond: number
  /** Microseconds of processor time per event: on a shared machine they say more than the clock. */
  inDatabase: number
  inServer: number
}

/** Measures what stores the events. */
async function measure(
  { pid, folder }: Product,
  events: number,
  store: () => Promise<void>,
): Promise<Ingested> {
  const before = { database: databaseTime(folder), server: processorMicroseconds(pid) ?? NaN }
  const started = performance.now()
  await store()
  const seconds = (performance.now() - started) / 1_000
  return {
    events,
    perSecond: Math.round(events / seconds),
    inDatabase: Math.round(((databaseTime(folder) - before.database) * 1_000) / events),
    inServer: Math.round(((processorMicroseconds(pid) ?? NaN) - before.server) / events),
  }
}

const perCall = 1_000
const concurrency = 4

/** Sends events as a busy collector does: several calls at a time, a thousand events in each. */
export async function ingest(
  product: Product,
  events: number,
  report: (done: number) => void,
): Promise<Ingested> {
  const random = createRandom(1)
  const bodies = Array.from({ length: 20 }, () =>
    JSON.stringify(Array.from({ length: perCall }, () => createEvent(random))),
  )
  let sent = 0
  const send = async (): Promise<void> => {
    while (sent < events) {
      const body = bodies[(sent / perCall) % bodies.length] ?? '[]'
      const upTo = (sent += perCall)
      await post(product, body)
      if (upTo % 100_000 === 0) report(upTo)
    }
  }
  return measure(product, events, async () => {
    await Promise.all(Array.from({ length: concurrency }, send))
  })
}

export async function post({ url, owner }: Product, body: string): Promise<void> {
  const response = await fetch(`${url}/api/console/events`, {
    method: 'POST',
    headers: { ...owner, 'content-type': 'application/json' },
    body,
  })
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

/** The least that PostgreSQL can do with the same rows: a table without an index, counts or search. */
export async function insertBare(product: Product, events: number): Promise<Ingested> {
  const { pool } = product.database
  await pool.query('drop table if exists public.bare_events')
  await pool.query('create table public.bare_events (id bigserial, event jsonb)')
  const random = createRandom(1)
  const body = JSON.stringify(Array.from({ length: perCall }, () => createEvent(random)))
  const inserted = await measure(product, events, async () => {
    for (let sent = 0; sent < events; sent += perCall)
      await pool.query('insert into public.bare_events (event) select jsonb_array_elements($1::jsonb)', [
        body,
      ])
  })
  await pool.query('drop table public.bare_events')
  return inserted
}
