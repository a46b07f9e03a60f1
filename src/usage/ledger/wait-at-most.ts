/** Waits for the work, but no longer than the limit. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, limitMs)))
  await Promise.race([work, limit])
  clearTimeout(timer)
}
