import type { PriceRow } from '../row.ts'

/** A row and the time in which it applies, as numbers. */
export interface Span {
  row: PriceRow
  from: number
  to: number
}

/** Stored prices indexed by group and model, to find the one in force at a time. Immutable. */
export class PriceTable {
  readonly #custom: ByGroup
  /** Those without a group are of a time when lists belonged to all; they ended then. */
  readonly #synced: ByGroup
  readonly #builtIn: ReadonlySet<string>

  constructor(rows: readonly PriceRow[]) {
    this.#custom = byGroup(rows.filter((row) => row.source === 'own'))
    this.#synced = byGroup(rows.filter((row) => row.source === 'synced'))
    this.#builtIn = new Set(rows.filter((row) => row.source === 'built_in').map((row) => row.id))
  }

  find(groupId: string, model: string, at: Date): PriceRow | null {
    const time = at.getTime()
    return (
      inForce(this.#custom.get(groupId)?.get(model), time) ??
      inForce(this.#synced.get(groupId)?.get(model), time) ??
      inForce(this.#synced.get('')?.get(model), time)
    )
  }

  /** The built-in price of this id is in the database. */
  hasBuiltIn(id: string): boolean {
    return this.#builtIn.has(id)
  }
}

type ByGroup = ReadonlyMap<string, ReadonlyMap<string, Span[]>>

function byGroup(rows: readonly PriceRow[]): ByGroup {
  const groups = Map.groupBy(rows, (row) => row.group_id ?? '')
  return new Map([...groups].map(([groupId, each]) => [groupId, byModel(each)]))
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
