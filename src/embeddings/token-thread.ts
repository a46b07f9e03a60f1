import { decode } from 'gpt-tokenizer/encoding/cl100k_base'
import { serveThread } from '#kernel/thread'

/** The encoding that clients use for OpenAI's embedding models, and for models that they do not know. */
serveThread<undefined, number[][], string[]>(async (inputs) => ({
  response: inputs.map((tokens) => decode(tokens)),
}))
