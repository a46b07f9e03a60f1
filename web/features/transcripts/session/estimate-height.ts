import type { Row } from './rows.ts'

/** A first guess; the real height is measured when the row is shown. */
export function estimateHeight(row: Row | undefined): number {
  if (row === undefined || row.kind === 'day' || row.kind === 'fork') return gap + 26
  if (row.kind === 'tool') return gap + (row.results.some(({ is_error }) => is_error) ? 160 : 34)
  const { kind, origin, role, content } = row.message
  if (kind === 'image') return gap + 238
  if (kind !== 'text' || origin === 'injected' || role === 'system') return gap + 24
  const lines = Math.ceil(Math.min(6_000, (content ?? '').length) / 90)
  return gap + 44 + lines * 22
}

/** Between two rows. */
const gap = 12
