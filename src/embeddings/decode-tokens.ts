import { invalidField } from '#kernel/errors'
import { createThread } from '#kernel/thread'

/** Texts of arrays of token numbers; strings stay as they are. Throws a fault that names what is neither. */
export type DecodeTokens = (inputs: readonly unknown[], field: (index: number) => string) => Promise<string[]>

/** Its tables take tens of megabytes. */
const idleMs = 60_000
/** The last number of the encoding that most clients use for embeddings. */
const lastToken = 100_276

export function createTokenDecoder(): { decode: DecodeTokens; close(): Promise<void> } {
  const thread = createThread<number[][], string[]>({
    file: new URL('token-thread.ts', import.meta.url),
    idleMs,
  })
  return {
    async decode(inputs, field) {
      const tokens = inputs.map((each, index) =>
        typeof each === 'string' ? [] : tokensIn(each, field(index)),
      )
      const texts = await thread.call(tokens)
      return inputs.map((each, index) => (typeof each === 'string' ? each : (texts[index] ?? '')))
    },
    close: () => thread.close(),
  }
}

function tokensIn(value: unknown, field: string): number[] {
  const isToken = (each: unknown): each is number =>
    Number.isInteger(each) && (each as number) >= 0 && (each as number) <= lastToken
  if (Array.isArray(value) && value.every(isToken)) return value
  throw invalidField(field, 'must be a string or an array of token numbers of cl100k_base')
}
