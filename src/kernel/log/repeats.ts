import type { Logger } from 'pino'

const intervalMs = 10_000
const maxTexts = 200
const maxRequestIds = 20

interface Repeat {
  count: number
  requestIds: string[]
}

type Write = (fields: object, text: string) => void

/**
 * A problem that comes back with every request, such as a full disk, must not fill the log, which may lie on the same
 * disk: the same warning or error is written once per interval, and then how often it came back.
 */
export class Repeats {
  readonly #seen = new Map<string, Repeat>()

  /** False when the line is only counted. */
  mayWrite(args: readonly unknown[], write: Write): boolean {
    const [fields, text] = typeof args[0] === 'string' ? [{}, args[0]] : [args[0] ?? {}, args[1]]
    if (typeof text !== 'string') return true
    const key = keyOf(fields, text)
    const repeat = this.#seen.get(key)
    if (!repeat) {
      if (this.#seen.size >= maxTexts) return true
      this.#watch(key, text, write)
      return true
    }
    repeat.count++
    const { requestId } = fields as { requestId?: unknown }
    if (typeof requestId === 'string' && repeat.requestIds.length < maxRequestIds)
      repeat.requestIds.push(requestId)
    return false
  }

  #watch(key: string, text: string, write: Write): void {
    this.#seen.set(key, { count: 0, requestIds: [] })
    setTimeout(() => {
      const { count = 0, requestIds = [] } = this.#seen.get(key) ?? {}
      this.#seen.delete(key)
      if (count === 0) return
      const seconds = intervalMs / 1_000
      write({ repeated: count, seconds, ...(requestIds.length > 0 && { requestIds }) }, text)
    }, intervalMs).unref()
  }
}

/** What tells one problem from another: the text, the causes and what it is about, but not which request met it. */
function keyOf(fields: unknown, text: string): string {
  const parts = Object.entries(fields as Record<string, unknown>)
    .filter(([name]) => name !== 'requestId')
    .map(
      ([name, value]) =>
        `${name} ${(value instanceof Error ? messageIn(value) : String(value)).slice(0, 300)}`,
    )
  return [text, ...parts].join('\n').replaceAll(/req_[\w-]+/g, 'req_')
}

function messageIn({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} ${cause.message}` : message
}

/** For pino's `logMethod`: only warnings and errors are looked at. */
export function limitRepeats(): (
  this: Logger,
  args: Parameters<Logger['info']>,
  method: Logger['info'],
  level: number,
) => void {
  const repeats = new Repeats()
  return function logMethod(args, method, level) {
    const write: Write = (fields, text) => method.call(this, fields, text)
    if (level < 40 || level > 50 || repeats.mayWrite(args, write)) method.apply(this, args)
  }
}
