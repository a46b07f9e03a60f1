import type { SkippedBytes, WatcherReport } from '../segment.ts'
import { behindBytes, type Followed } from './followed.ts'
import type { FoundRoots, Root } from './roots.ts'

const maxSkipped = 100

/** What was skipped and why, the newest last; the same file and reason once. */
export class SkipList {
  readonly #entries = new Map<string, WatcherReport['skipped'][number]>()

  add({ source }: Pick<Followed, 'source'>, { reason, bytes }: Omit<SkippedBytes, 'position'>): void {
    const key = `${source.assistant} ${source.root} ${source.path} ${reason}`
    const before = this.#entries.get(key)
    this.#entries.delete(key)
    const total = reason === 'too_long' || reason === 'refused' ? bytes + (before?.bytes ?? 0) : bytes
    this.#entries.set(key, {
      assistant: source.assistant,
      path: source.path,
      reason,
      bytes: total,
      at: new Date().toISOString(),
    })
    const oldest = this.#entries.keys().next().value
    if (this.#entries.size > maxSkipped && oldest !== undefined) this.#entries.delete(oldest)
  }

  list(): WatcherReport['skipped'] {
    return [...this.#entries.values()]
  }
}

export function rootsOf(roots: Root[], files: Iterable<Followed>): WatcherReport['roots'] {
  const rows = new Map(
    roots.map(({ assistant, path }) => [
      `${assistant.id} ${path}`,
      { assistant: assistant.id, path, files: 0, behindBytes: 0 },
    ]),
  )
  for (const file of files) {
    const row = rows.get(`${file.source.assistant} ${file.source.root}`)
    if (row === undefined) continue
    row.files++
    row.behindBytes += behindBytes(file)
  }
  return [...rows.values()]
}

/** The folders that are missing or hold no session, in a sentence for each. */
export function emptyEntries({ entries }: FoundRoots, files: Iterable<Followed>): string | null {
  const filled = new Set(Array.from(files, ({ source }) => source.root))
  const sentences = entries.flatMap(({ path, isThere, roots }) => {
    if (!isThere) return [`The folder ${path} does not exist.`]
    return roots.some((root) => filled.has(root.path)) ? [] : [`The folder ${path} holds no sessions.`]
  })
  return sentences.length === 0 ? null : sentences.join(' ').slice(0, 1_000)
}
