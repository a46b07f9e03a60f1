import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base'
import { Cl100KBase } from 'gpt-tokenizer/encodingParams/cl100k_base'
import { serveThread } from '#kernel/thread'

const special = new Map(
  [...(Cl100KBase(ranks).specialTokensEncoder ?? [])].map(([text, token]) => [token, text]),
)

/** Null: one of the numbers is no token. A character that is cut off at the end becomes the replacement character. */
function textOf(tokens: readonly number[]): string | null {
  const parts: Uint8Array[] = []
  for (const token of tokens) {
    const part = ranks[token] ?? special.get(token)
    if (part === undefined) return null
    parts.push(typeof part === 'string' ? Buffer.from(part) : Uint8Array.from(part))
  }
  return Buffer.concat(parts).toString()
}

/**
 * The encoding that clients use for OpenAI's embedding models, and for models that they do not know. The package's own
 * decoder keeps the bytes of a character that is cut off for the next text.
 */
serveThread<undefined, number[][], (string | null)[]>(async (inputs) => ({ response: inputs.map(textOf) }))
