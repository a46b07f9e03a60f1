/**
 * Names that the provider's grammar refuses are rewritten on the way out and back again in the answer. The same
 * request always gives the same names.
 */
export class ToolNames {
  readonly #isAccepted: RegExp
  readonly #rewrite: (name: string) => string
  readonly #wire = new Map<string, string>()
  readonly #client = new Map<string, string>()

  constructor(isAccepted: RegExp, rewrite: (name: string) => string) {
    this.#isAccepted = isAccepted
    this.#rewrite = rewrite
  }

  /** Names that fit as they are keep themselves, whatever the others are rewritten to. */
  offer(names: readonly string[]): void {
    for (const name of names) if (this.#isAccepted.test(name)) this.toWire(name)
    for (const name of names) this.toWire(name)
  }

  toWire(name: string): string {
    const known = this.#wire.get(name)
    if (known !== undefined) return known
    let wire = this.#isAccepted.test(name) ? name : this.#rewrite(name)
    for (let count = 2; this.#client.has(wire); count++) wire = `${wire.slice(0, 120)}_${count}`
    this.#wire.set(name, wire)
    this.#client.set(wire, name)
    return wire
  }

  toClient(wire: string): string {
    return this.#client.get(wire) ?? wire
  }
}
