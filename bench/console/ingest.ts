import { createEvent, createRandom } from './corpus.ts'
import type { Product } from '../usage-scale/product.ts'

export interface Ingested {
  events: number
  perSecond: number
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
  const started = performance.now()
  await Promise.all(Array.from({ length: concurrency }, send))
  return { events: sent, perSecond: Math.round(sent / ((performance.now() - started) / 1_000)) }
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
export async function insertBare({ database: { pool } }: Product, events: number): Promise<Ingested> {
  await pool.query('drop table if exists public.bare_events')
  await pool.query('create table public.bare_events (id bigserial, event jsonb)')
  const random = createRandom(1)
  const body = JSON.stringify(Array.from({ length: perCall }, () => createEvent(random)))
  const started = performance.now()
  for (let sent = 0; sent < events; sent += perCall)
    await pool.query('insert into public.bare_events (event) select jsonb_array_elements($1::jsonb)', [body])
  const perSecond = Math.round(events / ((performance.now() - started) / 1_000))
  await pool.query('drop table public.bare_events')
  return { events, perSecond }
}
