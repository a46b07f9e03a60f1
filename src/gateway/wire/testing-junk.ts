import assert from 'node:assert/strict'
import { Fault } from '#kernel/errors'

const junk = [
  null,
  0,
  -1,
  1.5,
  '',
  'x',
  '__proto__',
  true,
  [],
  {},
  [null],
  [[]],
  { type: 5 },
  { type: 'text' },
  { type: 'message' },
  { type: 'function' },
  { type: 'tool_use' },
  { url: 5 },
]

/** For tests: makes copies in which one value, anywhere, is something else. */
export function spoiler(random: (below: number) => number): (value: unknown) => unknown {
  const pick = <Item>(list: readonly Item[]) => list[random(list.length)]
  return function spoiled(value) {
    if (typeof value !== 'object' || value === null || random(6) === 0) return pick(junk)
    const copy = structuredClone(value) as Record<string, unknown>
    const key = pick(Object.keys(copy))
    if (key === undefined) return pick(junk)
    copy[key] = spoiled(copy[key])
    return copy
  }
}

/** Whatever is wrong with the input, it is a fault that a client may see. */
export function onlyFaults(what: unknown, run: () => void): void {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof Fault, `${String(error)} for ${JSON.stringify(what)}`)
  }
}
