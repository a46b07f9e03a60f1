import { BoundedCache } from '#kernel/cache'

/** A running mean and deviation. */
class Usual {
  #mean: number
  #deviation: number

  constructor(first: number) {
    this.#mean = first
    this.#deviation = first / 2
  }

  note(value: number): void {
    const distance = Math.abs(value - this.#mean)
    this.#mean += weight * (value - this.#mean)
    this.#deviation += weight * (distance - this.#deviation)
  }

  /** Above most of what was seen. */
  get high(): number {
    return this.#mean + 2 * this.#deviation
  }
}

/** Before anything is known of a model. */
const unknownOutput = 2_048
/** How much the newest request counts. */
const weight = 0.05
const maxModels = 2_000

/**
 * How many tokens requests for a model usually have, by those that this process has seen: the output, and the input for
 * each token that its size let expect. What is reserved lies above most of them, because what is not used is given back.
 */
export class UsualUse {
  #output = new BoundedCache<string, Usual>('limits usual output', maxModels)
  #input = new BoundedCache<string, Usual>('limits usual input', maxModels)

  noteOutput(model: string, tokens: number): void {
    note(this.#output, model, tokens)
  }

  noteInput(model: string, expected: number, tokens: number): void {
    if (expected > 0) note(this.#input, model, tokens / expected)
  }

  outputOf(model: string): number {
    const known = this.#output.get(model)
    return known ? Math.ceil(known.high) : unknownOutput
  }

  /** Never less than its size says: prompts differ. */
  inputOf(model: string, expected: number): number {
    return Math.ceil(expected * Math.max(1, this.#input.get(model)?.high ?? 1))
  }
}

function note(models: BoundedCache<string, Usual>, model: string, value: number): void {
  const known = models.get(model)
  if (known) known.note(value)
  else models.set(model, new Usual(value))
}
