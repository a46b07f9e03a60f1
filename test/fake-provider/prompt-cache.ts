import { digest } from './identifiers.ts'

/** Remembers prompts, so that the second one of a kind is answered with cached tokens. */
export class PromptCache {
  #seen = new Set<string>()

  /** True when the same content was seen before in that scope. */
  hit(scope: string, content: unknown): boolean {
    const key = digest(`${scope}\n${JSON.stringify(content)}`)
    const seen = this.#seen.has(key)
    this.#seen.add(key)
    return seen
  }

  clear(): void {
    this.#seen.clear()
  }
}
