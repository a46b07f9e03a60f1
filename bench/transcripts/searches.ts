import { performance } from 'node:perf_hooks'
import type { BenchProduct } from '../search/product.ts'
import { sampleWords } from './generated-sessions.ts'

export interface Timed {
  name: string
  p50: number
  p95: number
}

const queries: Record<string, string> = {
  'search, a common word': `q=${sampleWords.common}`,
  'search, a usual word': `q=${sampleWords.usual}`,
  'search, a rare word': `q=${sampleWords.rare}`,
  'search, two words': `q=${sampleWords.usual}+${sampleWords.common}`,
  'search, a word in a project and a role': `q=${sampleWords.usual}&project=/home/dev/shop&role=user`,
  'search, newest first': `q=${sampleWords.common}&sort=time`,
}

export async function timeSearches(product: BenchProduct, rounds: number): Promise<Timed[]> {
  const timed: Timed[] = []
  for (const [name, query] of Object.entries(queries))
    timed.push({ name, ...(await time(product, `/api/transcripts/search?${query}`, rounds)) })
  timed.push({ name: 'list of sessions', ...(await time(product, '/api/transcripts', rounds)) })
  return timed
}

async function time({ url, key }: BenchProduct, path: string, rounds: number): Promise<Omit<Timed, 'name'>> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    const { data } = (await response.json()) as { data: unknown[] }
    if (data.length === 0) throw new Error(`${path} found nothing`)
    times.push(performance.now() - started)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 10) / 10
  return { p50: at(0.5), p95: at(0.95) }
}
