import type * as Onnx from 'onnxruntime-node'
import { dimensions } from '../embedder.ts'
import { WordPiece } from '../wordpiece.ts'
import { readVocabulary } from './model-folder.ts'
import { serveThread } from '#kernel/thread'

export interface OnnxData {
  modelFile: string
  tokenizerFile: string
  threads: number
}

export interface OnnxRequest {
  texts: readonly string[]
  /** Tokens a text, the two at its ends included. */
  maxTokens: number
}

export type OnnxResult = { vectors: Float32Array<ArrayBuffer> } | { unusable: string }

type Runtime = typeof Onnx

interface Loaded {
  runtime: Runtime
  session: Onnx.InferenceSession
  tokenizer: WordPiece
  ends: readonly [number, number]
}

/** Rows × length of one call: more gains nothing and costs memory. */
const maxTokensAtOnce = 4_096

let loaded: Promise<Loaded> | undefined

serveThread<OnnxData, OnnxRequest, OnnxResult>(async ({ texts, maxTokens }, data) => {
  loaded ??= load(data)
  let model: Loaded
  try {
    model = await loaded
  } catch (error) {
    loaded = undefined
    return { response: { unusable: error instanceof Error ? error.message : String(error) } }
  }
  const vectors = await embed(model, texts, maxTokens)
  return { response: { vectors }, transfer: [vectors.buffer] }
})

async function load(data: OnnxData): Promise<Loaded> {
  const runtime = await import('onnxruntime-node')
  const session = await runtime.InferenceSession.create(data.modelFile, { intraOpNumThreads: data.threads })
  const vocabulary = readVocabulary(data.tokenizerFile)
  const ends = [vocabulary.get('[CLS]') ?? 0, vocabulary.get('[SEP]') ?? 0] as const
  return { runtime, session, tokenizer: new WordPiece(vocabulary), ends }
}

async function embed(
  { runtime, session, tokenizer, ends }: Loaded,
  texts: readonly string[],
  maxTokens: number,
) {
  const encoded = texts.map((text, index) => ({
    index,
    ids: [ends[0], ...tokenizer.encode(text, maxTokens - 2).ids, ends[1]],
  }))
  const vectors = new Float32Array(texts.length * dimensions)
  for (const group of groupByLength(encoded)) {
    const length = Math.max(...group.map(({ ids }) => ids.length))
    const { feeds, mask } = feedsFor(runtime, session, group, length)
    const output = pickOutput(session, await session.run(feeds), [group.length, length])
    group.forEach(({ index }, row) => vectors.set(poolRows(output, mask, row, length), index * dimensions))
  }
  return vectors
}

/** Texts of like length together: padding is work for nothing. */
function groupByLength<T extends { ids: number[] }>(encoded: readonly T[]): T[][] {
  const groups: T[][] = []
  for (const each of encoded.toSorted((a, b) => a.ids.length - b.ids.length)) {
    const group = groups.at(-1)
    if (group && (group.length + 1) * each.ids.length <= maxTokensAtOnce) group.push(each)
    else groups.push([each])
  }
  return groups
}

function feedsFor(
  runtime: Runtime,
  session: Onnx.InferenceSession,
  group: readonly { ids: number[] }[],
  length: number,
): { feeds: Record<string, Onnx.Tensor>; mask: BigInt64Array } {
  const size = group.length * length
  const [ids, mask, types] = [new BigInt64Array(size), new BigInt64Array(size), new BigInt64Array(size)]
  group.forEach((each, row) =>
    each.ids.forEach((id, column) => {
      ids[row * length + column] = BigInt(id)
      mask[row * length + column] = 1n
    }),
  )
  const given: Record<string, BigInt64Array> = { input_ids: ids, attention_mask: mask, token_type_ids: types }
  const feeds = Object.fromEntries(
    session.inputNames.map((name) => {
      const values = given[name]
      if (!values) throw new Error(`The model wants an input "${name}", which is not known here.`)
      return [name, new runtime.Tensor('int64', values, [group.length, length])]
    }),
  )
  return { feeds, mask }
}

function pickOutput(
  session: Onnx.InferenceSession,
  outputs: Record<string, Onnx.Tensor>,
  [rows, length]: readonly [number, number],
): Float32Array {
  const name = session.outputNames.includes('last_hidden_state')
    ? 'last_hidden_state'
    : session.outputNames[0]
  const output = outputs[name ?? '']
  const shape = output?.dims.join(' × ')
  if (!(output?.data instanceof Float32Array) || shape !== `${rows} × ${length} × ${dimensions}`)
    throw new Error(
      `The model gives ${shape ?? 'nothing'}; texts × tokens × ${dimensions} numbers are needed.`,
    )
  return output.data
}

/** The mean over the tokens of one row, padding left out. */
function poolRows(hidden: Float32Array, mask: BigInt64Array, row: number, length: number): Float32Array {
  const sum = new Float32Array(dimensions)
  let count = 0
  for (let token = 0; token < length; token += 1) {
    if (mask[row * length + token] === 0n) continue
    count += 1
    const from = (row * length + token) * dimensions
    for (let index = 0; index < dimensions; index += 1)
      sum[index] = (sum[index] as number) + (hidden[from + index] as number)
  }
  return sum.map((value) => value / Math.max(1, count))
}
