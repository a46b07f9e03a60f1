/** Milliseconds of processor time that the work took: on a busy machine it takes longer by the clock, and no more of this. */
export async function processorMs(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const tickMs = 10

/** Gives the milliseconds since its start, without those in which a busy machine did not let this process run. */
export function startClock(): { ms(): number } & Disposable {
  let [last, lost] = [performance.now(), 0]
  const started = last
  const tick = (): void => {
    const now = performance.now()
    lost += Math.max(0, now - last - 2 * tickMs)
    last = now
  }
  const timer = setInterval(tick, tickMs)
  return {
    ms() {
      tick()
      return last - started - lost
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
