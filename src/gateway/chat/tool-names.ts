/**
 * Names that the provider refuses are rewritten in the request and restored in the response. The same
 * request always gives the same names.
 */
export class ToolNames {
  readonly #isAccepted: RegExp
  readonly #rewrite: (name: string) => string
  readonly #provider = new Map<string, string>()
  readonly #client = new Map<string, string>()

  constructor(isAccepted: RegExp, rewrite: (name: string) => string) {
    this.#isAccepted = isAccepted
    this.#rewrite = rewrite
  }

  /** Names that fit as they are keep themselves, whatever the others are rewritten to. */
  offer(names: readonly string[]): void {
    for (const name of names) if (this.#isAccepted.test(name)) this.toProvider(name)
    for (const name of names) this.toProvider(name)
  }

  toProvider(name: string): string {
    const known = this.#provider.get(name)
    if (known !== undefined) return known
    let rewritten = this.#isAccepted.test(name) ? name : this.#rewrite(name)
    for (let count = 2; this.#client.has(rewritten); count++)
      rewritten = `${rewritten.slice(0, 120)}_${count}`
    this.#provider.set(name, rewritten)
    this.#client.set(rewritten, name)
    return rewritten
  }

  toClient(rewritten: string): string {
    return this.#client.get(rewritten) ?? rewritten
  }
}
