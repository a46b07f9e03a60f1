import type { PriceRow } from '../row.ts'

/** A row and the time in which it applies, as numbers. */
export interface Span {
  row: PriceRow
  from: number
  to: number
}

/** Stored prices indexed by group and model, to find the one in force at a time. Immutable. */
export class PriceTable {
  readonly #custom: Map<string, Map<string, Span[]>>
  readonly #synced: Map<string, Span[]>
  readonly #builtIn: ReadonlySet<string>

  constructor(rows: readonly PriceRow[]) {
    const custom = rows.filter((row) => row.source === 'own')
    this.#custom = new Map(
      [...Map.groupBy(custom, (row) => row.group_id ?? '')].map(([groupId, each]) => [
        groupId,
        byModel(each),
      ]),
    )
    this.#synced = byModel(rows.filter((row) => row.source === 'synced'))
    this.#builtIn = new Set(rows.filter((row) => row.source === 'built_in').map((row) => row.id))
  }

  find(groupId: string, model: string, at: Date): PriceRow | null {
    const time = at.getTime()
    return inForce(this.#custom.get(groupId)?.get(model), time) ?? inForce(this.#synced.get(model), time)
  }

  /** The built-in price of this id is in the database. */
  hasBuiltIn(id: string): boolean {
    return this.#builtIn.has(id)
  }
}

function byModel(rows: readonly PriceRow[]): Map<string, Span[]> {
  return Map.groupBy(rows.map(spanOf), ({ row }) => row.model_id)
}

function inForce(spans: readonly Span[] | undefined, time: number): PriceRow | null {
  return spans?.find((span) => isWithin(span, time))?.row ?? null
}

export function spanOf(row: PriceRow): Span {
  const to = row.effective_to === null ? Number.POSITIVE_INFINITY : Date.parse(row.effective_to)
  return { row, from: Date.parse(row.effective_from), to }
}

export function isWithin({ from, to }: Span, time: number): boolean {
  return from <= time && time < to
}
