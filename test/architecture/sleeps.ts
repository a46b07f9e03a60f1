import { isTest, parse, type Sources } from './source.ts'

const timers = new Set(['setTimeout', 'sleep', 'delay', 'pause'])

/** Files of tests that may use a timer, each with the reason. */
export type AllowedTimers = Readonly<Record<string, string>>

/**
 * Tests that wait for a time instead of for the thing itself: those that call a timer, or import the one that gives
 * a promise under any name.
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
  const { calls, imports } = parse(file, text)
  return [
    ...imports.filter(({ specifier }) => specifier === 'node:timers/promises'),
    ...calls.filter(({ name }) => timers.has(name)),
  ].map(({ line }) => line)
}
