import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StartFault, messageOf } from '#kernel/errors'
import { dimensions } from '../embedder.ts'
import { WordPiece } from '../wordpiece.ts'

const description = z.object({
  name: z.string(),
  dimensions: z.literal(dimensions),
  files: z.object({ 'table.i8': z.string(), 'scale.f32': z.string(), 'vocab.txt': z.string() }),
})

export type StaticModelFile = keyof z.infer<typeof description>['files']

/** Name and fingerprint, from the small file alone. */
export function describeStaticModel(folder: string) {
  const path = join(folder, 'model.json')
  try {
    const model = description.parse(JSON.parse(readFileSync(path, 'utf8')))
    const fingerprint = createHash('sha256').update(JSON.stringify(model.files)).digest('hex').slice(0, 16)
    return { ...model, fingerprint: `${model.name}:${fingerprint}` }
  } catch (error) {
    throw new StartFault(`${path} does not describe a model: ${messageOf(error)}`, { cause: error })
  }
}

/** The table lies outside the heap as the bytes of the file: 23 MB, read at the first text. */
export class StaticModel {
  readonly #folder: string
  #table: Int8Array | undefined
  #scale: Float32Array | undefined
  #tokenizer: WordPiece | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  get tokenizer(): WordPiece {
    this.#tokenizer ??= new WordPiece(readVocabulary(this.#read('vocab.txt').toString()))
    return this.#tokenizer
  }

  /** Vectors one behind the other, not brought to unit length. */
  embed(
    texts: readonly string[],
    maxTokens: number,
    sums: Float32Array = new Float32Array(texts.length * dimensions),
  ): Float32Array {
    const table = (this.#table ??= asBytes(this.#read('table.i8')))
    const scale = (this.#scale ??= asFloats(this.#read('scale.f32')))
    sums.fill(0)
    texts.forEach((text, index) => {
      const { ids } = this.tokenizer.encode(text, maxTokens)
      const sum = sums.subarray(index * dimensions, (index + 1) * dimensions)
      // A text of nothing but invisible characters is an unknown word.
      for (const id of ids.length > 0 ? ids : [this.tokenizer.unknown]) addRow(sum, table, id, scale[id] ?? 0)
    })
    return sums
  }

  #read(file: StaticModelFile): Buffer {
    const path = join(this.#folder, file)
    const bytes = readFileSync(path)
    if (createHash('sha256').update(bytes).digest('hex') !== describeStaticModel(this.#folder).files[file])
      throw new Error(
        `${path} is damaged: its checksum is not the one in model.json. Install Signalbox again.`,
      )
    return bytes
  }
}

function addRow(sum: Float32Array, table: Int8Array, row: number, scale: number): void {
  const from = row * dimensions
  for (let index = 0; index < dimensions; index += 1)
    sum[index] = (sum[index] as number) + (table[from + index] as number) * scale
}

function readVocabulary(text: string): Map<string, number> {
  return new Map(
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((token, row) => [token, row]),
  )
}

const asBytes = (bytes: Buffer): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)

function asFloats(bytes: Buffer): Float32Array {
  const values = new Float32Array(bytes.length / 4)
  for (let index = 0; index < values.length; index += 1) values[index] = bytes.readFloatLE(index * 4)
  return values
}
