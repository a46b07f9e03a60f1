import type { TestContext } from 'node:test'

/** Ages and waits are measured by performance.now(): it stands at `now` until it is set. */
export function stopClock(context: TestContext, now: number): { set(now: number): void } {
  const mocked = context.mock.method(performance, 'now', () => now)
  return { set: (moved) => mocked.mock.mockImplementation(() => moved) }
}
