import { BoundedCache } from '#kernel/cache'

/** A running mean and deviation. */
class Usual {
  #mean: number
  #deviation: number
  #count = 1

  constructor(first: number) {
    this.#mean = first
    this.#deviation = first / 2
  }

  note(value: number): void {
    const distance = Math.abs(value - this.#mean)
    this.#mean += weight * (value - this.#mean)
    this.#deviation += weight * (distance - this.#deviation)
    this.#count++
  }

  /** Few requests say little about the next one. */
  get isSure(): boolean {
    return this.#count >= 20
  }

  /** Above most of what was seen. */
  get high(): number {
    return this.#mean + 2 * this.#deviation
  }
}

/** At least this much while few requests of a model are known. */
const doubtfulOutput = 2_048
/** Text that is not English, and numbers, have more tokens than its size lets expect. */
const unknownInput = 1.5
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

  /** Undefined before anything is known of a model. */
  outputOf(model: string): number | undefined {
    const known = this.#output.get(model)
    return known && Math.ceil(known.isSure ? known.high : Math.max(known.high, doubtfulOutput))
  }

  /** Never less than its size says: prompts differ. */
  inputOf(model: string, expected: number): number {
    return Math.ceil(expected * Math.max(1, this.#input.get(model)?.high ?? unknownInput))
  }
}

function note(models: BoundedCache<string, Usual>, model: string, value: number): void {
  const known = models.get(model)
  if (known) known.note(value)
  else models.set(model, new Usual(value))
}
