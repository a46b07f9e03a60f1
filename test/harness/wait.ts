/**
 * Checks again and again until the condition holds, and returns its value. The time is only a limit for a test
 * that fails, so it is generous.
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 90_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const started = Date.now()
  for (;;) {
    const waitedMs = Date.now() - started
    const isLast = waitedMs >= timeoutMs
    const asked = condition()
    const found = await asked
    if (found) return found as Exclude<T, false | null | undefined | 0 | ''>
    if (isLast) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`)
    // A server that is asked all the time has less time for what the test waits for.
    const pauseMs = asked instanceof Promise ? Math.min(10 + waitedMs / 10, 100) : 10
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
