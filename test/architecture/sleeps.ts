import { isTest, parse, type Sources } from './source.ts'

const timers = new Set(['sleep', 'delay', 'waitForTimeout'])

/** These sleep under another name too: `promisify(setTimeout)`. */
const clocks = new Set(['setTimeout', 'Atomics'])

/** The modules, however they are loaded, and what sleeps elsewhere. */
const sleepers = /^(node:)?timers(\/promises)?$|^\s*select pg_sleep\(|^sleep \d/i

/** Files of tests that may use a timer, each with the reason. */
export type AllowedTimers = Readonly<Record<string, string>>

/**
 * Tests that wait for a time instead of for the thing itself: those that call or name a timer, or import timers
 * under any name.
 */
export function sleepingTests(sources: Sources, allowed: AllowedTimers): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (!isTest(file) || file.startsWith('bench/') || file in allowed) return []
    return timersIn(file, text).map((line) => `${file}:${line} waits for a time; use waitFor`)
  })
}

/** Allowed files without a timer. */
export function needlessAllowances(sources: Sources, allowed: AllowedTimers): string[] {
  return Object.keys(allowed).filter((file) => timersIn(file, sources.get(file) ?? '').length === 0)
}

function timersIn(file: string, text: string): number[] {
  const { calls, words } = parse(file, text)
  const found = [
    ...calls.filter(({ name }) => timers.has(name)),
    ...words.filter(({ kind, text: word }) =>
      kind === 'identifier' ? clocks.has(word) : sleepers.test(word),
    ),
  ]
  return [...new Set(found.map(({ line }) => line))]
}
