export interface FairQueueOptions {
  /** Calls that run at once. */
  places: number
  /** Calls of one owner that run at once, so that others always find a place soon. */
  perOwner: number
  /** Calls of one owner that may wait. */
  maxWaiting: number
  waitMs: number
}

interface Waiting {
  enter(): void
}

/** Places for calls. Owners (keys, people) take turns: one that sends many calls waits for its own, not the others. */
export function createFairQueue({ places, perOwner, maxWaiting, waitMs }: FairQueueOptions) {
  const running = new Map<string, number>()
  /** In the order of their turns. */
  const waiting = new Map<string, Waiting[]>()
  let free = places

  const runningOf = (owner: string): number => running.get(owner) ?? 0
  const mayEnter = (owner: string): boolean => free > 0 && runningOf(owner) < perOwner

  function take(owner: string): void {
    free -= 1
    running.set(owner, runningOf(owner) + 1)
  }

  function release(owner: string): void {
    free += 1
    if (runningOf(owner) === 1) running.delete(owner)
    else running.set(owner, runningOf(owner) - 1)
    const next = [...waiting.keys()].find(mayEnter)
    if (next === undefined) return
    const queue = waiting.get(next) ?? []
    const first = queue.shift()
    // The owner's next turn comes after those of all others.
    waiting.delete(next)
    if (queue.length > 0) waiting.set(next, queue)
    take(next)
    first?.enter()
  }

  /** False: it took too long. */
  function turnOf(owner: string): Promise<boolean> {
    return new Promise((resolve) => {
      const queue = waiting.get(owner) ?? []
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(entry), 1)
        if (queue.length === 0 && waiting.get(owner) === queue) waiting.delete(owner)
        resolve(false)
      }, waitMs)
      const entry: Waiting = {
        enter() {
          clearTimeout(timer)
          resolve(true)
        },
      }
      queue.push(entry)
      waiting.set(owner, queue)
    })
  }

  return {
    /** Returns what gives the place back; undefined when too many calls of the owner wait, or it took too long. */
    async enter(owner: string): Promise<(() => void) | undefined> {
      if (mayEnter(owner)) take(owner)
      else if ((waiting.get(owner)?.length ?? 0) >= maxWaiting || !(await turnOf(owner))) return undefined
      return () => release(owner)
    },
  }
}

export type FairQueue = ReturnType<typeof createFairQueue>
