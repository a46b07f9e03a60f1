import { invalid, type Fault } from '#kernel/errors'

/** Deep enough for every schema and document, and far from what code that recurses can take. */
export const maxDepth = 128

/** Refuses a parsed value that is nested too deeply. */
export function checkDepth(value: unknown, level = 1): void {
  if (typeof value !== 'object' || value === null) return
  if (level > maxDepth) throw tooDeep()
  if (Array.isArray(value)) {
    for (const item of value) checkDepth(item, level + 1)
  } else {
    for (const key in value) checkDepth((value as Record<string, unknown>)[key], level + 1)
  }
}

export const tooDeep = (): Fault =>
  invalid(`The body is not accepted: its JSON is nested more than ${maxDepth} levels deep.`)
