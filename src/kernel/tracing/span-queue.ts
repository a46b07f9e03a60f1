import { Counter, type Registry } from 'prom-client'
import { messageOf } from '#kernel/errors'
import { Pool } from '#kernel/http-client'
import type { Log, Secret } from '#kernel/log'
import { writeRequest } from './otlp.ts'

export interface SpanQueueOptions {
  /** The collector, without `/v1/traces`. */
  endpoint: string
  headers: Secret | undefined
  resource: string
  log: Pick<Log, 'info' | 'warn'>
  registry: Registry
  delayMs?: number
  stopLimitMs?: number
}

const maxWaiting = 2_048
const batchSize = 512
const defaultDelayMs = 5_000
const timeoutMs = 10_000
const defaultStopLimitMs = 3_000
/** Of all others the protocol says that they will not be accepted later either. */
const retryable = new Set([429, 502, 503, 504])

/** Spans on their way to the collector. While it is unavailable they wait, up to a limit; no request notices. */
export class SpanQueue {
  readonly #options: SpanQueueOptions
  readonly #pool: Pool
  readonly #path: string
  readonly #headers: Record<string, string>
  readonly #counter: Counter
  readonly #waiting: string[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #isFailing = false

  constructor(options: SpanQueueOptions) {
    this.#options = options
    const { origin, pathname } = new URL(options.endpoint)
    this.#pool = new Pool(origin, { connections: 1, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
    this.#path = `${pathname.replace(/\/$/, '')}/v1/traces`
    this.#headers = { 'content-type': 'application/json', ...headersIn(options.headers) }
    this.#counter = new Counter({
      name: 'signalbox_trace_spans_total',
      help: 'Spans of traces, by whether the collector got them',
      labelNames: ['outcome'],
      registers: [options.registry],
    })
  }

  start(): void {
    this.#timer = setInterval(() => this.#send(), this.#options.delayMs ?? defaultDelayMs).unref()
  }

  /** A written span. It is dropped where too many wait. */
  add(span: string): void {
    if (this.#waiting.length >= maxWaiting) return this.#count('dropped', 1)
    this.#waiting.push(span)
    // A collector that failed is asked again when the time comes.
    if (this.#waiting.length >= batchSize && !this.#isFailing) this.#send()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const limitMs = this.#options.stopLimitMs ?? defaultStopLimitMs
    await Promise.race([this.#flush(), new Promise((resolve) => setTimeout(resolve, limitMs).unref())])
    await this.#pool.destroy()
    await this.#sending
    if (this.#waiting.length > 0)
      this.#options.log.warn({ spans: this.#waiting.length }, 'spans of traces could not be sent')
    this.#count('dropped', this.#waiting.length)
  }

  async #flush(): Promise<void> {
    await this.#sending
    this.#send()
    await this.#sending
  }

  #send(): void {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined))
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#sendBatch(this.#waiting.slice(0, batchSize))
      if (this.#isFailing) this.#options.log.info('traces reach their collector again')
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing)
        this.#options.log.warn({ reason: messageOf(error) }, 'traces do not reach their collector')
      this.#isFailing = true
    }
  }

  /** Rejects when the batch should be sent again later. */
  async #sendBatch(batch: readonly string[]): Promise<void> {
    const { statusCode, body } = await this.#pool.request({
      path: this.#path,
      method: 'POST',
      headers: this.#headers,
      body: writeRequest(this.#options.resource, batch),
    })
    const isAccepted = statusCode >= 200 && statusCode < 300
    const rejected = isAccepted ? rejectedIn(await body.text()) : batch.length
    if (!isAccepted) await body.dump()
    if (retryable.has(statusCode)) throw new Error(`the collector responded with ${statusCode}`)
    this.#waiting.splice(0, batch.length)
    this.#count('dropped', Math.min(rejected, batch.length))
    this.#count('sent', Math.max(0, batch.length - rejected))
    if (!isAccepted) throw new Error(`the collector refused spans with ${statusCode}`)
  }

  #count(outcome: 'sent' | 'dropped', spans: number): void {
    this.#counter.inc({ outcome }, spans)
  }
}

/** A collector may take a part of the spans. */
function rejectedIn(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: string | number } }
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0)
    return Number.isFinite(rejected) && rejected > 0 ? rejected : 0
  } catch {
    return 0
  }
}

/** `name=value,name=value`, with values as in an address. The configuration has been checked. */
function headersIn(given: Secret | undefined): Record<string, string> {
  const pairs = given?.reveal().split(',') ?? []
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [name.trim().toLowerCase(), decodeURIComponent(value.join('=').trim())]
    }),
  )
}
