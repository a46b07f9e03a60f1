import { inspect } from 'node:util'

const hidden = '[secret]'

/** A value that cannot be printed, serialised or concatenated by accident; only `reveal()` returns it. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  get suffix(): string {
    return this.#value.slice(-4)
  }

  toString(): string {
    return hidden
  }

  toJSON(): string {
    return hidden
  }

  [Symbol.toPrimitive](): string {
    return hidden
  }

  [inspect.custom](): string {
    return hidden
  }
}
