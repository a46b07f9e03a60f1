import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { readVocabulary } from '../../src/embeddings/drivers/model-folder.ts'
import { WordPiece } from '../../src/embeddings/wordpiece.ts'
import { add, Matrix, normalise } from './matrix.ts'

export type Pooling = 'mean' | 'cls'

/** A transformer from a folder (tokenizer.json and an ONNX file), as sentence-transformers publish them. */
export interface Teacher {
  width: number
  /** Unit vectors, one a row. */
  embed(texts: readonly string[]): Promise<Matrix>
}

const [maxTokens, textsAtOnce] = [128, 32]
const files = ['onnx/model_quantized.onnx', 'onnx/model.onnx', 'model.onnx']

export async function openTeacher(folder: string, pooling: Pooling): Promise<Teacher> {
  const file = files.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (!file) throw new Error(`${folder} has no model: one of ${files.join(', ')} is needed.`)
  const session = await InferenceSession.create(file)
  const vocabulary = readVocabulary(join(folder, 'tokenizer.json'))
  const tokenizer = new WordPiece(vocabulary)
  const [start, end] = [vocabulary.get('[CLS]') ?? 0, vocabulary.get('[SEP]') ?? 0]
  const encode = (text: string): number[] => [start, ...tokenizer.encode(text, maxTokens - 2).ids, end]

  async function run(texts: readonly string[]): Promise<Matrix> {
    const encoded = texts.map(encode)
    const length = Math.max(...encoded.map((ids) => ids.length))
    const output = await session.run(feeds(session, encoded, length))
    const hidden = output[session.outputNames[0] ?? '']
    const width = hidden?.dims[2]
    if (!(hidden?.data instanceof Float32Array) || width === undefined)
      throw new Error(`${file} does not give texts × tokens × numbers.`)
    return pool(hidden.data, encoded, length, width, pooling)
  }

  const { width } = await run(['a'])
  return {
    width,
    async embed(texts) {
      const all = new Matrix(texts.length, width)
      for (let from = 0; from < texts.length; from += textsAtOnce) {
        const some = await run(texts.slice(from, from + textsAtOnce))
        all.values.set(some.values, from * width)
      }
      return all
    },
  }
}

function feeds(
  session: InferenceSession,
  encoded: readonly number[][],
  length: number,
): Record<string, Tensor> {
  const shape = [encoded.length, length]
  const fill = (valueAt: (id: number) => number): Tensor => {
    const values = new BigInt64Array(encoded.length * length)
    encoded.forEach((ids, row) =>
      ids.forEach((id, column) => (values[row * length + column] = BigInt(valueAt(id)))),
    )
    return new Tensor('int64', values, shape)
  }
  const given: Record<string, Tensor> = {
    input_ids: fill((id) => id),
    attention_mask: fill(() => 1),
    token_type_ids: fill(() => 0),
  }
  return Object.fromEntries(session.inputNames.map((name) => [name, given[name] ?? fill(() => 0)]))
}

function pool(
  hidden: Float32Array,
  encoded: readonly number[][],
  length: number,
  width: number,
  pooling: Pooling,
): Matrix {
  const vectors = new Matrix(encoded.length, width)
  encoded.forEach((ids, row) => {
    const tokens = pooling === 'cls' ? 1 : ids.length
    for (let token = 0; token < tokens; token += 1) {
      const from = (row * length + token) * width
      add(vectors.row(row), hidden.subarray(from, from + width))
    }
    normalise(vectors.row(row))
  })
  return vectors
}
