export interface GridPlace {
  row: number
  column: number
}

interface Size {
  rows: number
  columns: number
}

const pageRows = 15

/** Where a key leads in a grid; undefined where it is no key of movement. */
export function moved(
  from: GridPlace | undefined,
  { key, ctrlKey, metaKey }: { key: string; ctrlKey: boolean; metaKey: boolean },
  { rows, columns }: Size,
): GridPlace | undefined {
  if (rows === 0 || columns === 0) return undefined
  const { row, column } = from ?? { row: 0, column: 0 }
  const isFar = ctrlKey || metaKey
  const targets: Record<string, GridPlace> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? rows : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? columns : column + 1 },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? rows : row, column: columns },
  }
  const target = targets[key]
  if (!target) return undefined
  // The first key only shows where one is.
  if (!from) return { row: 0, column: 0 }
  return { row: within(target.row, rows), column: within(target.column, columns) }
}

const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value))
