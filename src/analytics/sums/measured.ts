/** Values that are known, and their sum in the order of time. */
export interface Measured {
  /** In any order. */
  values: Float64Array
  sum: number
}

/** Null without values. */
export const averageOf = ({ values, sum }: Measured): number | null =>
  values.length === 0 ? null : sum / values.length

/** A column of a day, from the place `first` up to and without `last`. */
interface Given {
  column: Float64Array
  first: number
  last: number
  /** The part of each value, by way of what the day calls it; below 0 it is left out. */
  name: Uint32Array
  partOf: readonly number[]
}

/**
 * Values of several parts, one part behind the other, so that each part and all of them are arrays without another
 * copy. Values that are not known are left out.
 */
export class Gathered {
  readonly #values: Float64Array
  /** Where each part begins. */
  readonly #starts: Uint32Array
  /** Behind the last value of each part so far. */
  readonly #ends: Uint32Array
  readonly #sums: Float64Array
  #sum = 0

  /** At most so many values of each part. */
  constructor(lengths: readonly number[]) {
    this.#starts = new Uint32Array(lengths.length)
    for (let part = 1; part < lengths.length; part++)
      this.#starts[part] = this.#starts[part - 1]! + lengths[part - 1]!
    this.#ends = this.#starts.slice()
    this.#sums = new Float64Array(lengths.length)
    this.#values = new Float64Array((this.#starts.at(-1) ?? 0) + (lengths.at(-1) ?? 0))
  }

  /** Days in the order of time. NaN is not known. */
  add({ column, first, last, name, partOf }: Given): void {
    const [values, ends, sums] = [this.#values, this.#ends, this.#sums]
    let sum = this.#sum
    for (let place = first; place < last; place++) {
      const value = column[place]!
      const part = partOf[name[place]!]!
      if (part < 0 || Number.isNaN(value)) continue
      values[ends[part]!++] = value
      sums[part]! += value
      sum += value
    }
    this.#sum = sum
  }

  /** Nothing more is added: closes the gaps that values which are not known have left. */
  close(): this {
    let end = 0
    for (let part = 0; part < this.#starts.length; part++) {
      const [start, endOfPart] = [this.#starts[part]!, this.#ends[part]!]
      if (start !== end) this.#values.copyWithin(end, start, endOfPart)
      this.#starts[part] = end
      this.#ends[part] = end += endOfPart - start
    }
    return this
  }

  part(part: number): Measured {
    return {
      values: this.#values.subarray(this.#starts[part]!, this.#ends[part]!),
      sum: this.#sums[part]!,
    }
  }

  all(): Measured {
    return { values: this.#values.subarray(0, this.#ends.at(-1) ?? 0), sum: this.#sum }
  }
}
