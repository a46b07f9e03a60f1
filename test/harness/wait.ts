/**
 * Checks again and again until the condition holds, and returns its value. The time is only a limit for a test
 * that fails, so it is generous.
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const isLast = Date.now() >= deadline
    const found = await condition()
    if (found) return found as Exclude<T, false | null | undefined | 0 | ''>
    if (isLast) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
