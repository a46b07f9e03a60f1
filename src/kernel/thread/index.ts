import { Worker, parentPort, workerData } from 'node:worker_threads'

/** Runs heavy computation in a worker thread, so that it never blocks requests. */
export interface Thread<Request, Response> {
  /** Rejects when the computation fails, or when the thread ends before it is done. */
  call(request: Request): Promise<Response>
  close(): Promise<void>
}

export interface ThreadOptions {
  /** The file that calls `serveThread`. */
  file: string | URL
  /** Passed to the thread when it starts. */
  data?: unknown
  /** A thread without calls is ended after this time, which frees its memory. */
  idleMs: number
  /** A thread that finishes no call for this long is ended; unlimited by default. */
  timeoutMs?: number
  maxYoungGenerationSizeMb?: number
  /** Recursion in the thread may go deeper than the 4 MB that it has by default. */
  stackSizeMb?: number
}

interface PendingCall<Response> {
  resolve(response: Response): void
  reject(error: Error): void
}

type Message<Response> = { id: number } & ({ response: Response } | { message: string })

/** The packed product is JavaScript, and so are the files of its threads. */
function builtFile(file: string | URL): string | URL {
  if (import.meta.filename.endsWith('.ts')) return file
  return typeof file === 'string' ? file.replace(/\.ts$/, '.js') : new URL(file.href.replace(/\.ts$/, '.js'))
}

/** The thread starts at the first call, ends when it has been idle, and starts again at the next call. */
export function createThread<Request, Response>(options: ThreadOptions): Thread<Request, Response> {
  const pending = new Map<number, PendingCall<Response>>()
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let lastId = 0

  /** Restarted after every finished call, and not by new calls: those must not prolong a thread that hangs. */
  function startTimer(current: Worker): void {
    clearTimeout(timer)
    const isIdle = pending.size === 0
    // Only a thread with work keeps the process running.
    if (isIdle) current.unref()
    const limit = isIdle ? options.idleMs : options.timeoutMs
    if (limit === undefined) return
    timer = setTimeout(() => {
      rejectAll(new Error(`The thread did not respond within ${limit} ms.`))
      void current.terminate()
    }, limit)
    if (isIdle) timer.unref()
  }

  function rejectAll(error: Error): void {
    clearTimeout(timer)
    worker = undefined
    const calls = [...pending.values()]
    pending.clear()
    for (const call of calls) call.reject(error)
  }

  function start(): Worker {
    const { file, data, maxYoungGenerationSizeMb, stackSizeMb } = options
    const resourceLimits = {
      ...(maxYoungGenerationSizeMb === undefined ? {} : { maxYoungGenerationSizeMb }),
      ...(stackSizeMb === undefined ? {} : { stackSizeMb }),
    }
    const started = new Worker(builtFile(file), { workerData: data, resourceLimits })
    started.on('message', (message: Message<Response>) => {
      if (worker !== started) return
      const call = pending.get(message.id)
      pending.delete(message.id)
      startTimer(started)
      if ('response' in message) call?.resolve(message.response)
      else call?.reject(new Error(message.message))
    })
    started.on('error', (error) => worker === started && rejectAll(error as Error))
    started.on('exit', (code) => {
      if (worker === started) rejectAll(new Error(`The thread ended with exit code ${code}.`))
    })
    return started
  }

  return {
    async call(request) {
      worker ??= start()
      worker.ref()
      lastId += 1
      const id = lastId
      const response = new Promise<Response>((resolve, reject) => pending.set(id, { resolve, reject }))
      worker.postMessage({ id, request }, [])
      if (pending.size === 1) startTimer(worker)
      return response
    },
    async close() {
      const running = worker
      rejectAll(new Error('The thread was closed.'))
      await running?.terminate()
    },
  }
}

/** The other side: handles calls one after the other. To be called in the thread's own file. */
export function serveThread<Data, Request, Response>(
  handle: (request: Request, data: Data) => Promise<{ response: Response; transfer?: ArrayBuffer[] }>,
): void {
  const port = parentPort
  if (!port) throw new Error('This file must run in a worker thread.')
  const data = workerData as Data
  const respond = async (id: number, request: Request): Promise<void> => {
    try {
      const { response, transfer } = await handle(request, data)
      port.postMessage({ id, response }, transfer ?? [])
    } catch (error) {
      port.postMessage({ id, message: error instanceof Error ? error.message : String(error) }, [])
    }
  }
  let last = Promise.resolve()
  port.on('message', ({ id, request }: { id: number; request: Request }) => {
    last = last.then(() => respond(id, request))
  })
}
