export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
  /** Line numbers in the file before and after, where they are known. */
  before: number | null
  after: number | null
}

/** Beyond this many comparisons the changed middle is shown as removed and then added. */
const maxComparisons = 1_000_000

/** How one text became the other, line by line. Numbers start at 1 in both. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, next] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < next.length - start &&
    old[old.length - 1 - end] === next[next.length - 1 - end]
  )
    end++
  const middle = diffMiddle(old.slice(start, old.length - end), next.slice(start, next.length - end))
  const same = (texts: readonly string[]) => texts.map((text) => ({ kind: 'same' as const, text }))
  return numbered([...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))])
}

/** Without an empty last line: a text that ends with a line end has no line after it. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

type Change = Pick<DiffLine, 'kind' | 'text'>

/** The longest common subsequence, by the table of its lengths from each pair of lines to the end. */
function diffMiddle(old: readonly string[], next: readonly string[]): Change[] {
  const width = next.length + 1
  if (old.length * next.length > maxComparisons || old.length === 0 || next.length === 0)
    return [
      ...old.map((text) => ({ kind: 'removed' as const, text })),
      ...next.map((text) => ({ kind: 'added' as const, text })),
    ]
  const lengths = new Uint32Array((old.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = next.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        old[row] === next[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  return walk(old, next, at)
}

function walk(
  old: readonly string[],
  next: readonly string[],
  at: (row: number, column: number) => number,
): Change[] {
  const changes: Change[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < next.length) {
    const [was, is] = [old[row], next[column]]
    if (was !== undefined && was === is) {
      changes.push({ kind: 'same', text: was })
      row++
      column++
    } else if (was !== undefined && (is === undefined || at(row + 1, column) >= at(row, column + 1))) {
      changes.push({ kind: 'removed', text: was })
      row++
    } else {
      changes.push({ kind: 'added', text: is ?? '' })
      column++
    }
  }
  return changes
}

function numbered(changes: readonly Change[]): DiffLine[] {
  let [before, after] = [0, 0]
  return changes.map(({ kind, text }) => {
    if (kind !== 'added') before++
    if (kind !== 'removed') after++
    return {
      kind,
      text,
      before: kind === 'added' ? null : before,
      after: kind === 'removed' ? null : after,
    }
  })
}
