import type { Product } from '../usage-scale/product.ts'
import { createRandom, createSearch } from './corpus.ts'

export interface Timed {
  name: string
  p50: number
  p95: number
}

/** Whole requests over HTTP, one at a time. */
export async function timeReads(product: Product, rounds: number): Promise<Timed[]> {
  const random = createRandom(2)
  const paths: Record<string, (round: number) => string> = {
    search: (round) => `search?limit=50&q=${encodeURIComponent(createSearch(random, round))}`,
    'search by rank': (round) =>
      `search?limit=50&sort=rank&q=${encodeURIComponent(createSearch(random, round))}`,
    list: () => 'events?limit=100',
    'list, errors of one service': (round) => `events?limit=100&severity=error&service=service-${round % 20}`,
    'statistics of a day': () => 'stats?hours=24',
  }
  const timed: Timed[] = []
  for (const [name, path] of Object.entries(paths)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      const response = await fetch(`${product.url}/api/console/${path(round)}`, { headers: product.owner })
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
      await response.arrayBuffer()
      // The first ones read tables and indexes into memory.
      if (round >= 10) times.push(performance.now() - started)
    }
    times.sort((a, b) => a - b)
    timed.push({ name, p50: at(times, 0.5), p95: at(times, 0.95) })
  }
  return timed
}

export const at = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
