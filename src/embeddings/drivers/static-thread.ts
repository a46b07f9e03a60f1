import { StaticModel } from './static-model.ts'
import { serveThread } from '#kernel/thread'

export type StaticRequest =
  /** The sums are written where the caller says: memory that wanders between threads would pile up. */
  | { do: 'embed'; texts: readonly string[]; maxTokens: number; into: SharedArrayBuffer }
  /** How many tokens each text has, and where it must end to stay within the limit. */
  | { do: 'measure'; texts: readonly string[]; maxTokens: number }

export type StaticResult = { embedded: number } | { measured: { tokens: number; end: number }[] }

let model: StaticModel | undefined

serveThread<{ folder: string }, StaticRequest, StaticResult>(async (request, { folder }) => {
  model ??= new StaticModel(folder)
  const { texts, maxTokens } = request
  if (request.do === 'embed') {
    model.embed(texts, maxTokens, new Float32Array(request.into))
    return { response: { embedded: texts.length } }
  }
  const { tokenizer } = model
  const measured = texts.map((text) => {
    const { ids, end } = tokenizer.encode(text, maxTokens)
    return { tokens: ids.length, end }
  })
  return { response: { measured } }
})
