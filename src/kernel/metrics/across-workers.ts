import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { AggregatorRegistry } from 'prom-client'

interface Question {
  signalbox: 'metrics?'
  id: string
}

interface Answer {
  signalbox: 'metrics'
  id: string
  text: string
}

const timeoutMs = 5_000

/** A scrape reaches one worker; the primary collects the numbers of all. */
export function askPrimaryForMetrics(): Promise<string> {
  const id = randomUUID()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => finish(() => reject(new Error('the primary process did not answer'))),
      timeoutMs,
    )
    const onMessage = (message: Answer): void => {
      if (message?.signalbox === 'metrics' && message.id === id) finish(() => resolve(message.text))
    }
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      process.off('message', onMessage)
      settle()
    }
    process.on('message', onMessage)
    process.send?.({ signalbox: 'metrics?', id } satisfies Question)
  })
}

export function answerWorkersWithMetrics(): void {
  const registry = new AggregatorRegistry()
  cluster.on('message', (worker, message: Question) => {
    if (message?.signalbox !== 'metrics?') return
    void registry
      .clusterMetrics()
      .then((text) => worker.send({ signalbox: 'metrics', id: message.id, text } satisfies Answer))
  })
}
