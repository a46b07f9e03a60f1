import { Gauge, type Registry } from 'prom-client'

/** How many things wait, by the name of their queue. */
type Queues = Readonly<Record<string, () => number | Promise<number>>>

/** Several may scrape, and each worker answers every scrape. */
const rememberMs = 5_000
/** A scrape must end, also while the database does not answer. */
const defaultTimeoutMs = 2_000

/** Read at a scrape, most of them from the database. A queue that cannot be read in time has no value. */
export function collectQueueMetrics(registry: Registry, queues: Queues, timeoutMs = defaultTimeoutMs): void {
  const readers = Object.entries(queues).map(([queue, length]) => ({
    queue,
    read: remembered(length, timeoutMs),
  }))
  new Gauge({
    name: 'signalbox_queue_length',
    help: 'What waits to be worked on, by queue',
    labelNames: ['queue'],
    registers: [registry],
    // Workers share the database and so the queues.
    aggregator: 'max',
    async collect() {
      const lengths = await Promise.all(
        readers.map(async ({ queue, read }) => ({ queue, length: await read() })),
      )
      this.reset()
      for (const { queue, length } of lengths) if (length !== undefined) this.set({ queue }, length)
    },
  })
}

function remembered(
  length: () => number | Promise<number>,
  timeoutMs: number,
): () => Promise<number | undefined> {
  let known: { at: number; value: number | undefined } | undefined
  let reading: Promise<void> | undefined
  const read = async (): Promise<void> => {
    const value = await Promise.resolve()
      .then(length)
      .catch(() => undefined)
    known = { at: performance.now(), value }
    reading = undefined
  }
  return async () => {
    if (known && performance.now() - known.at < rememberMs) return known.value
    const askedAt = performance.now()
    // One that hangs is not joined by others.
    reading ??= read()
    await withinTime(reading, timeoutMs)
    return known && known.at >= askedAt ? known.value : undefined
  }
}

async function withinTime(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)))
  await Promise.race([work, late])
  clearTimeout(timer)
}
