/** Hands out workers, one call each at a time; calls wait for the first that is free. */
export interface Queue<Worker> {
  /** Undefined when too many calls wait already. */
  run<Result>(work: (worker: Worker) => Promise<Result>): Promise<Result | undefined>
}

export function createQueue<Worker>(workers: readonly Worker[], maxWaiting: number): Queue<Worker> {
  const free = [...workers]
  const waiting: ((worker: Worker) => void)[] = []

  function release(worker: Worker): void {
    const next = waiting.shift()
    if (next === undefined) free.push(worker)
    else next(worker)
  }

  return {
    async run(work) {
      if (free.length === 0 && waiting.length >= maxWaiting) return undefined
      const worker = free.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)))
      try {
        return await work(worker)
      } finally {
        release(worker)
      }
    },
  }
}
