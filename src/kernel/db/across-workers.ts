import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'

interface Message {
  /** A worker asks; the primary asks the others; they answer; the primary answers the first. */
  signalbox: 'catch up?' | 'catch up' | 'caught up' | 'all caught up'
  id: string
}

/** A worker that hangs must not hold up a change for longer. */
const longestWaitMs = 2_000

/** Asks the other workers to do something and resolves when they have; each does `own` when another one asks. */
export function createCatchUp(own: () => Promise<void>): () => Promise<void> {
  if (!cluster.isWorker) return async () => undefined
  const waiting = new Map<string, () => void>()
  const send = (signalbox: Message['signalbox'], id: string): void => {
    if (process.connected) process.send?.({ signalbox, id } satisfies Message)
  }
  process.on('message', ({ signalbox, id }: Message) => {
    if (signalbox === 'catch up') void own().finally(() => send('caught up', id))
    if (signalbox !== 'all caught up') return
    waiting.get(id)?.()
    waiting.delete(id)
  })
  return () =>
    new Promise((resolve) => {
      if (!process.connected) return resolve()
      const id = randomUUID()
      waiting.set(id, resolve)
      send('catch up?', id)
    })
}

/** In the primary process: passes what workers ask to the others. */
export function relayCatchUp(): void {
  const ready = new Set<Worker>()
  const asked = new Map<string, { left: Set<Worker>; done: () => void }>()
  const answered = (id: string, worker: Worker): void => {
    const question = asked.get(id)
    question?.left.delete(worker)
    if (question?.left.size === 0) question.done()
  }
  const ask = (id: string, asker: Worker): void => {
    const left = new Set([...ready].filter((worker) => worker !== asker && worker.isConnected()))
    const done = (): void => {
      clearTimeout(timer)
      asked.delete(id)
      if (asker.isConnected()) asker.send({ signalbox: 'all caught up', id } satisfies Message)
    }
    const timer = setTimeout(done, longestWaitMs)
    if (left.size === 0) return done()
    asked.set(id, { left, done })
    for (const worker of left) worker.send({ signalbox: 'catch up', id } satisfies Message)
  }
  cluster.on('listening', (worker) => void ready.add(worker))
  cluster.on('exit', (worker) => {
    ready.delete(worker)
    for (const id of asked.keys()) answered(id, worker)
  })
  cluster.on('message', (worker, { signalbox, id }: Message) => {
    if (signalbox === 'catch up?') ask(id, worker)
    if (signalbox === 'caught up') answered(id, worker)
  })
}
