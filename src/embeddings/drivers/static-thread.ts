import { StaticModel } from './static-model.ts'
import { serveThread } from './thread.ts'

export type StaticRequest =
  | { do: 'embed'; texts: readonly string[]; most: number }
  /** How many tokens each text has, and where it must end to have at most so many. */
  | { do: 'measure'; texts: readonly string[]; most: number }

export type StaticAnswer =
  | { vectors: Float32Array<ArrayBuffer> }
  | { measured: { tokens: number; end: number }[] }

let model: StaticModel | undefined

serveThread<{ folder: string }, StaticRequest, StaticAnswer>(async (request, { folder }) => {
  model ??= new StaticModel(folder)
  const { texts, most } = request
  if (request.do === 'embed') {
    const vectors = model.embed(texts, most)
    return { answer: { vectors }, transfer: [vectors.buffer] }
  }
  const { tokenizer } = model
  const measured = texts.map((text) => {
    const { ids, end } = tokenizer.encode(text, most)
    return { tokens: ids.length, end }
  })
  return { answer: { measured } }
})
