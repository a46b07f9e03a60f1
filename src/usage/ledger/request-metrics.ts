import { Counter, type Registry } from 'prom-client'
import type { Usage } from '#gateway'
import { createHistogram, type Observer } from '#kernel/metrics'
import type { LedgerRow } from '../row.ts'
import type { Settled } from './records.ts'

/** People add providers, providers invent names of models, and each combination of labels stays in memory. */
const maxModels = 200
const other = 'other'

/** What one provider and model got, found once. */
interface Counted {
  provider: string
  model: string
  byStatus: Map<number, number>
  prompt: number
  completion: number
  cost: { inc(by: number): void }
  seconds: Observer
  upstream: Observer
  own: Observer
  firstToken: Observer
}

export interface RequestMetrics {
  /** As requests end, whether or not the database is there. */
  ended(settled: Settled): void
  /** As their rows reach the database, with what they cost. */
  stored(rows: readonly Spent[]): void
}

/** What of a row says what it cost. */
export type Spent = Pick<LedgerRow, 'provider' | 'model' | 'input_cost' | 'output_cost'>

export function createRequestMetrics(registry: Registry): RequestMetrics {
  const known = new Map<string, Counted>()
  const families = createFamilies(registry, () => {
    for (const counted of known.values()) handOver(families, counted)
  })

  function of(provider: string, model: string): Counted {
    const name = `${provider} ${model}`
    const found = known.get(name)
    if (found) return found
    if (known.size >= maxModels && provider !== other) return of(other, other)
    const counted: Counted = {
      provider,
      model,
      byStatus: new Map(),
      prompt: 0,
      completion: 0,
      cost: families.cost.labels(provider, model),
      seconds: families.seconds(provider),
      upstream: families.upstream(provider),
      own: families.own(provider),
      firstToken: families.firstToken(provider),
    }
    known.set(name, counted)
    return counted
  }

  function ended({ entry, outcome, counted }: Settled): void {
    const answered = outcome.answeredBy ?? entry
    const provider = answered.provider ?? ''
    // Without a provider the model is whatever the client wrote.
    const found = of(provider, provider === '' ? '' : answered.model)
    found.byStatus.set(outcome.statusCode, (found.byStatus.get(outcome.statusCode) ?? 0) + 1)
    const { prompt, completion } = counted ?? tokensOf(outcome.usage)
    found.prompt += prompt
    found.completion += completion
    const seconds = Math.max(0, outcome.endedAt.getTime() - entry.startedAt.getTime()) / 1000
    found.seconds.observe(seconds)
    if (outcome.ttftMs !== null) found.firstToken.observe(outcome.ttftMs / 1000)
    if (outcome.upstreamMs === undefined) return
    found.upstream.observe(outcome.upstreamMs / 1000)
    found.own.observe(Math.max(0, seconds - outcome.upstreamMs / 1000))
  }

  return {
    ended,
    stored(rows) {
      for (const { provider, model, input_cost: input, output_cost: output } of rows) {
        const cost = Number(input ?? 0) + Number(output ?? 0)
        if (provider !== null && cost > 0) of(provider, model).cost.inc(cost)
      }
    },
  }
}

/** Counters are looked up by their labels each time, which costs a request more than an addition. */
function handOver({ requests, tokens }: ReturnType<typeof createFamilies>, counted: Counted): void {
  const { provider, model, byStatus } = counted
  for (const [status, count] of byStatus) requests.inc({ provider, model, status: String(status) }, count)
  byStatus.clear()
  tokens.inc({ provider, model, kind: 'prompt' }, counted.prompt)
  tokens.inc({ provider, model, kind: 'completion' }, counted.completion)
  counted.prompt = counted.completion = 0
}

function tokensOf(usage: Usage | null): { prompt: number; completion: number } {
  if (!usage) return { prompt: 0, completion: 0 }
  const { uncached, cacheRead, cacheWrite, cacheWriteLong, output } = usage
  const prompt = uncached + cacheRead + cacheWrite + cacheWriteLong
  // A provider may report anything, and a counter only rises.
  const whole = (count: number): number => (Number.isFinite(count) && count > 0 ? count : 0)
  return { prompt: whole(prompt), completion: whole(output) }
}

/** What was counted since is handed over before the registry is read. */
function createFamilies(registry: Registry, collect: () => void) {
  const registers = [registry]
  return {
    requests: new Counter({
      name: 'signalbox_gateway_requests_total',
      help: 'Requests to models that ended, by what answered them and status; 499 is a client that left',
      labelNames: ['provider', 'model', 'status'],
      registers,
      collect,
    }),
    tokens: new Counter({
      name: 'signalbox_gateway_tokens_total',
      help: 'Tokens of requests to models, by kind',
      labelNames: ['provider', 'model', 'kind'],
      registers,
      collect,
    }),
    cost: new Counter({
      name: 'signalbox_gateway_cost_dollars_total',
      help: 'What requests to models cost, in US dollars, counted when their rows reach the database',
      labelNames: ['provider', 'model'],
      registers,
    }),
    seconds: createHistogram({
      name: 'signalbox_gateway_request_seconds',
      help: 'Duration of requests to models, by provider',
      labelNames: ['provider'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
      registers,
    }),
    upstream: createHistogram({
      name: 'signalbox_gateway_upstream_seconds',
      help: 'The part of requests to models that was spent waiting for providers',
      labelNames: ['provider'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
      registers,
    }),
    own: createHistogram({
      name: 'signalbox_gateway_own_seconds',
      help: 'The part of requests to models that Signalbox itself took',
      labelNames: ['provider'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
      registers,
    }),
    firstToken: createHistogram({
      name: 'signalbox_gateway_first_token_seconds',
      help: 'Time to the first byte of streamed responses, by provider',
      labelNames: ['provider'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
  }
}
