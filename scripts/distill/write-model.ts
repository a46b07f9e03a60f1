import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Matrix } from './matrix.ts'

/** A byte for each value and a float for each row: the largest value of a row becomes 127. */
export function writeModel(folder: string, name: string, table: Matrix, vocabulary: readonly string[]): void {
  const bytes = Buffer.alloc(table.rows * table.width)
  const scales = Buffer.alloc(table.rows * 4)
  for (let index = 0; index < table.rows; index += 1) {
    const row = table.row(index)
    const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const scale = largest / 127
    scales.writeFloatLE(scale, index * 4)
    row.forEach((value, at) =>
      bytes.writeInt8(scale === 0 ? 0 : Math.round(value / scale), index * table.width + at),
    )
  }
  const files = {
    'table.i8': bytes,
    'scale.f32': scales,
    'vocab.txt': Buffer.from(`${vocabulary.join('\n')}\n`),
  }
  mkdirSync(folder, { recursive: true })
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
  const checksums = Object.fromEntries(
    Object.entries(files).map(([file, content]) => [
      file,
      createHash('sha256').update(content).digest('hex'),
    ]),
  )
  const description = { name, dimensions: table.width, files: checksums }
  writeFileSync(join(folder, 'model.json'), `${JSON.stringify(description, null, 2)}\n`)
}
