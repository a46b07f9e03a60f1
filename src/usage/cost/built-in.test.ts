import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calcPrice, findProvider, type ModelInfo } from '@pydantic/genai-prices'
import { builtInPrices } from '#gateway'
import { loadConfig } from '#kernel/config'
import { builtInPrice } from './built-in.ts'
import { calculateCost, type Billed } from './cost.ts'

const sources = builtInPrices(loadConfig({ PERPLEXITY_API: 'sonar' }))
const at = new Date('2026-11-15T12:00:00Z')
const providers = [
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['gemini', 'google'],
  ['openrouter', 'openrouter'],
  ['perplexity', 'perplexity'],
] as const

test('our cost equals what the price table itself calculates, for every model and random usage', () => {
  let compared = 0
  for (const [ours, theirs] of providers) {
    for (const { id } of findProvider({ providerId: theirs })?.models ?? []) {
      const price = builtInPrice(sources, ours, ours === 'openrouter' ? `openrouter/${id}` : id, at)
      if (!price) continue
      for (let round = 0; round < 5; round++) {
        const billed = randomUsage(ours)
        const expected = calcPrice(inTheirWords(billed), id, { providerId: theirs, timestamp: at })
        const cost = calculateCost(billed, price)
        if (!cost || !expected) continue
        const total = Number(cost.input_cost) + Number(cost.output_cost)
        const difference = Math.abs(total - expected.total_price)
        assert.ok(
          difference <= 1e-9 * Math.max(1, total),
          `${ours} ${id}: ${total} and ${expected.total_price}`,
        )
        compared++
      }
    }
  }
  assert.ok(compared > 2_000, `${compared} compared`)
})

test('prices are decimal text without the noise of floats', () => {
  for (const [ours, theirs] of providers) {
    for (const { id } of findProvider({ providerId: theirs })?.models ?? []) {
      const row = builtInPrice(sources, ours, id, at)
      const texts = [
        ...Object.entries(row ?? {}).flatMap(([name, value]) => (name.includes('price_per') ? [value] : [])),
        ...Object.values(row?.unit_prices ?? {}),
      ]
      for (const text of texts) if (text !== null) assert.match(String(text), /^\d{1,6}(\.\d{1,13})?$/, id)
    }
  }
})

test('the same content has the same id, and another time of validity has another', () => {
  const now = builtInPrice(sources, 'gemini', 'gemini-3.8-flash', at)
  assert.deepEqual(now, builtInPrice(sources, 'gemini', 'gemini-3.8-flash', new Date('2025-01-01')))
  assert.match(now?.id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const later = builtInPrice(sources, 'gemini', 'gemini-3.8-flash', new Date('2027-06-01'))
  assert.deepEqual([now?.effective_to, later?.effective_from], Array(2).fill('2027-01-01T00:00:00.000Z'))
  assert.notEqual(now?.id, later?.id)
})

test('unknown models and providers of a group have no built-in price; free models cost nothing', () => {
  assert.equal(builtInPrice(sources, 'openai', 'nobody-knows', at), null)
  assert.equal(builtInPrice(sources, 'our-own-server', 'gpt-4o', at), null)
  const free = findProvider({ providerId: 'openrouter' })?.models.find(isFree)
  assert.ok(free)
  assert.equal(builtInPrice(sources, 'openrouter', `openrouter/${free.id}`, at)?.input_price_per_1m, '0')
})

const isFree = ({ id, prices }: ModelInfo): boolean =>
  id.endsWith(':free') && Object.keys(prices).length === 0

function randomUsage(provider: string): Billed {
  const searches = provider === 'perplexity' ? 'num_search_queries' : 'web_search'
  const upTo = (most: number): number => Math.floor(Math.random() * (most + 1))
  const prompt = upTo(Math.random() < 0.5 ? 1_000 : 600_000)
  const cached = upTo(prompt)
  const written = upTo(prompt - cached)
  const completion = upTo(50_000)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    cached_tokens: cached,
    cache_write_tokens: written,
    cache_write_long_tokens: upTo(written),
    reasoning_tokens: upTo(completion),
    audio_input_tokens: 0,
    audio_output_tokens: 0,
    units: { [searches]: upTo(3) },
    usage_source: 'provider',
    status_code: 200,
  }
}

function inTheirWords(billed: Billed): Record<string, number> {
  return {
    input_tokens: billed.prompt_tokens,
    output_tokens: billed.completion_tokens,
    cache_read_tokens: billed.cached_tokens,
    cache_write_tokens: billed.cache_write_tokens,
    cache_write_1h_tokens: billed.cache_write_long_tokens,
    output_reasoning_tokens: billed.reasoning_tokens,
    web_searches: Object.values(billed.units ?? {})[0] ?? 0,
  }
}
