import { invalidField, type Fault } from '#kernel/errors'
import { createThread } from '#kernel/thread'

/** Texts of arrays of token numbers; strings stay as they are. Throws a fault that names what is neither. */
export type DecodeTokens = (inputs: readonly unknown[], field: (index: number) => string) => Promise<string[]>

/** Its tables take tens of megabytes. */
const idleMs = 60_000

export function createTokenDecoder(): { decode: DecodeTokens; close(): Promise<void> } {
  const thread = createThread<number[][], (string | null)[]>({
    file: new URL('token-thread.ts', import.meta.url),
    idleMs,
  })
  return {
    async decode(inputs, field) {
      const tokens = inputs.map((each, index) =>
        typeof each === 'string' ? [] : tokensIn(each, field(index)),
      )
      const texts = await thread.call(tokens)
      return inputs.map((each, index) =>
        typeof each === 'string' ? each : known(texts[index], field(index)),
      )
    },
    close: () => thread.close(),
  }
}

function tokensIn(value: unknown, field: string): number[] {
  const isToken = (each: unknown): each is number => Number.isInteger(each) && (each as number) >= 0
  if (Array.isArray(value) && value.every(isToken)) return value
  throw notTokens(field)
}

/** Not every number below the last one is a token. */
function known(text: string | null | undefined, field: string): string {
  if (typeof text === 'string') return text
  throw notTokens(field)
}

const notTokens = (field: string): Fault =>
  invalidField(field, 'must be a string or an array of token numbers of cl100k_base')
