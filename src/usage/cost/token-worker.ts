import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { countText } from './token-count.ts'

/** Words that steer a model are plain text here: a prompt may speak of them. */
const asText = { disallowedSpecial: new Set<string>() }

parentPort?.on('message', ({ id, prompt, delivered }: { id: number; prompt: string; delivered: string }) => {
  const count = (text: string): number => countText(text, (piece) => countTokens(piece, asText))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ id, prompt: count(prompt), completion: count(delivered) })
})
