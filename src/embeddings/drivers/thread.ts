import { Worker, parentPort, workerData } from 'node:worker_threads'

/** A model computes in a thread of its own, so that a large batch never holds up the requests of others. */
export interface Thread<Request, Answer> {
  call(request: Request): Promise<Answer>
  close(): Promise<void>
}

interface Waiting<Answer> {
  resolve(answer: Answer): void
  reject(error: Error): void
}

type Message<Answer> = { id: number } & ({ answer: Answer } | { message: string })

/** Started at the first call, ended when nobody has called for a while, and started again at the next call. */
export function createThread<Request, Answer>(
  file: string,
  data: unknown,
  idleMs: number,
): Thread<Request, Answer> {
  const waiting = new Map<number, Waiting<Answer>>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  /** Gives the model's memory back; only a thread that is at work keeps the process alive. */
  function rest(resting: Worker): void {
    resting.unref()
    clearTimeout(idle)
    idle = setTimeout(() => {
      worker = undefined
      void resting.terminate()
    }, idleMs).unref()
  }

  function fail(error: Error): void {
    worker = undefined
    const lost = [...waiting.values()]
    waiting.clear()
    for (const each of lost) each.reject(error)
  }

  function start(): Worker {
    // A small young generation: the thread makes much garbage and keeps little.
    const started = new Worker(file, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: 8 } })
    started.on('message', (message: Message<Answer>) => {
      const asked = waiting.get(message.id)
      waiting.delete(message.id)
      if (waiting.size === 0) rest(started)
      if ('answer' in message) asked?.resolve(message.answer)
      else asked?.reject(new Error(message.message))
    })
    started.on('error', (error) => worker === started && fail(error as Error))
    started.on('exit', (code) => {
      if (worker === started) fail(new Error(`The thread of the model ended with ${code}.`))
    })
    return started
  }

  return {
    call(request) {
      clearTimeout(idle)
      worker ??= start()
      worker.ref()
      lastId += 1
      const id = lastId
      const answer = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }))
      worker.postMessage({ id, request }, [])
      return answer
    },
    async close() {
      clearTimeout(idle)
      const running = worker
      fail(new Error('The embedding model was stopped.'))
      await running?.terminate()
    },
  }
}

/** The other side: answers calls one after the other. Call it in the thread's own file. */
export function serveThread<Data, Request, Answer>(
  answer: (request: Request, data: Data) => Promise<{ answer: Answer; transfer?: ArrayBuffer[] }>,
): void {
  const port = parentPort
  if (!port) throw new Error('This file runs in a thread.')
  const data = workerData as Data
  const reply = async (id: number, request: Request): Promise<void> => {
    try {
      const done = await answer(request, data)
      port.postMessage({ id, answer: done.answer }, done.transfer ?? [])
    } catch (error) {
      port.postMessage({ id, message: error instanceof Error ? error.message : String(error) }, [])
    }
  }
  let last = Promise.resolve()
  port.on('message', ({ id, request }: { id: number; request: Request }) => {
    last = last.then(() => reply(id, request))
  })
}
