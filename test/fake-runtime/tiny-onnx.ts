import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A model folder that the real onnxruntime runs: `last_hidden_state` is a row of a table for each token of
 * `input_ids`. The file is written field by field as the ONNX format wants it.
 */
export interface TinyModel {
  folder: string
  words: readonly string[]
  /** The row of a token. */
  rowOf(word: string): Float32Array
}

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']

export function writeTinyModel(folder: string, words: readonly string[], width = 768): TinyModel {
  const tokens = [...special, ...words]
  const rows = tokens.map((token) => rowFor(token, width))
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeFileSync(join(folder, 'onnx/model.onnx'), modelFile(rows, width))
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]))
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify({ model: { type: 'WordPiece', vocab } }))
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ model_type: 'bert', hidden_size: width }))
  return { folder, words, rowOf: (word) => rows[tokens.indexOf(word)] ?? new Float32Array(width) }
}

function rowFor(token: string, width: number): Float32Array {
  const bytes = Array.from({ length: Math.ceil(width / 32) }, (_, part) =>
    createHash('sha256').update(`${part} ${token}`).digest(),
  )
  return Float32Array.from(Buffer.concat(bytes).subarray(0, width), (byte) => byte / 127.5 - 1)
}

const [float, int64] = [1, 7]

function modelFile(rows: readonly Float32Array[], width: number): Buffer {
  const table = Buffer.concat(rows.map((row) => Buffer.from(row.buffer, row.byteOffset, row.byteLength)))
  const node = [text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather')]
  const initializer = [
    number(1, rows.length),
    number(1, width),
    number(2, float),
    text(8, 'table'),
    field(9, table),
  ]
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
    part(11, valueInfo(name, int64, ['texts', 'tokens'])),
  )
  const output = part(12, valueInfo('last_hidden_state', float, ['texts', 'tokens', width]))
  const graph = [part(1, node), text(2, 'tiny'), part(5, initializer), ...inputs, output]
  return Buffer.concat([number(1, 8), part(8, [text(1, ''), number(2, 13)]), part(7, graph)])
}

function valueInfo(name: string, type: number, shape: readonly (string | number)[]): Buffer[] {
  const sizes = shape.map((size) => part(1, [typeof size === 'number' ? number(1, size) : text(2, size)]))
  return [text(1, name), part(2, [part(1, [number(1, type), part(2, sizes)])])]
}

const number = (id: number, value: number): Buffer => Buffer.concat([varint(id << 3), varint(value)])
const text = (id: number, value: string): Buffer => field(id, Buffer.from(value))
const part = (id: number, parts: readonly Buffer[]): Buffer => field(id, Buffer.concat(parts))
const field = (id: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes])

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) | 128)
  }
}
