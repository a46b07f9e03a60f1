import type { DiffLine } from './line-diff.ts'

/** Neighbouring lines of a diff, as they are shown; `skipped` unchanged lines lie before them. */
export interface Hunk {
  skipped: number
  lines: DiffLine[]
}

const context = 3

/** The changed lines with three unchanged ones around them. */
export function hunksOf(lines: readonly DiffLine[]): Hunk[] {
  const changed = lines.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]))
  const hunks: Hunk[] = []
  let end = 0
  for (const index of changed) {
    const from = Math.max(end, index - context)
    const to = Math.min(lines.length, index + context + 1)
    const last = hunks.at(-1)
    if (last && from === end) last.lines.push(...lines.slice(end, to))
    else hunks.push({ skipped: from - end, lines: lines.slice(from, to) })
    end = Math.max(end, to)
  }
  return hunks
}

export function countsOf(lines: readonly DiffLine[]): { added: number; removed: number } {
  const count = (wanted: DiffLine['kind']) => lines.filter(({ kind }) => kind === wanted).length
  return { added: count('added'), removed: count('removed') }
}
