import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { serveThread } from '#kernel/thread'
import type { Counted, Texts } from './estimate.ts'
import { countText } from './token-count.ts'

/** Special tokens are counted as plain text: a prompt may mention them. */
const asText = { disallowedSpecial: new Set<string>() }

const count = (text: string): number => countText(text, (piece) => countTokens(piece, asText))

serveThread<undefined, Texts, Counted>(async ({ prompt, delivered }) => ({
  response: { prompt: count(prompt), completion: count(delivered) },
}))
