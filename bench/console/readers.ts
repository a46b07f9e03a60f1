import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Product } from '../usage-scale/product.ts'
import { post } from './ingest.ts'
import { at } from './searches.ts'

export interface Streamed {
  readers: number
  sent: number
  /** Over all readers. */
  delivered: number
  p50: number
  p95: number
}

const perSecond = 200
const perCall = 20

/** Readers of one process while events come at 200 a second; each event says when it was sent. */
export async function stream(product: Product, readers: number, seconds: number): Promise<Streamed> {
  const delays: number[] = []
  let delivered = 0
  const closes: (() => void)[] = []
  for (let reader = 0; reader < readers; reader++) {
    const request = get(`${product.url}/api/console/stream?source=readers`, {
      headers: product.owner,
      agent: false,
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200)
      throw new Error(`stream ${reader + 1} was refused: ${response.statusCode}`)
    closes.push(() => request.destroy())
    response.on('data', (chunk: Buffer) => {
      for (const [, sentAt] of chunk.toString().matchAll(/"title":"sent (\d+)"/g)) {
        delivered++
        if (delivered % 50 === 0) delays.push(Date.now() - Number(sentAt))
      }
    })
  }
  let sent = 0
  for (const until = Date.now() + seconds * 1_000; Date.now() < until; sent += perCall) {
    const event = JSON.stringify({ type: 'sync', source: 'readers', title: `sent ${Date.now()}` })
    await Promise.all([
      post(product, `[${Array.from({ length: perCall }, () => event).join()}]`),
      wait((perCall / perSecond) * 1_000),
    ])
  }
  for (let tries = 0; delivered < sent * readers && tries < 100; tries++) await wait(100)
  for (const close of closes) close()
  delays.sort((a, b) => a - b)
  return { readers, sent, delivered, p50: at(delays, 0.5), p95: at(delays, 0.95) }
}
