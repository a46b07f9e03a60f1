import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatSql } from './format.ts'
import { declarationAt, placesIn, readProduct, type Place } from './places.ts'
import { createRecorder, type Recorded, type Recorder } from './recorder.ts'

export type { Recorder } from './recorder.ts'

const root = join(import.meta.dirname, '../..')

/** Calls every function of a part that sends SQL, with parameters of the right shape. */
export type Sample = (recorder: Recorder) => Promise<void>

/** Runs the samples of a part and keeps what its own files sent. */
export async function recordPart(part: string, sample: Sample): Promise<Recorded[]> {
  const recorder = createRecorder()
  await sample(recorder)
  if (recorder.answers.length > 0) throw new Error(`the sample of ${part} has answers that no query took`)
  return recorder.recorded.filter(({ file }) => file.startsWith(`src/${part}/`))
}

/** The text of the snapshot: sorted by file and function, each query of a function once, in the order it ran. */
export function writeSnapshot(recorded: readonly Recorded[]): string {
  const sources = readProduct()
  const queries = new Map<string, Set<string>>()
  for (const each of recorded) {
    const name = `-- ${each.file} ${declarationAt(sources, each)}`
    queries.set(name, (queries.get(name) ?? new Set()).add(`${formatSql(each.sql)};\n`))
  }
  const entries = [...queries].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const parts = entries.map(([name, texts]) => `${name}\n${[...texts].join('\n')}`)
  return `-- Every query of this part. Written by "npm run sql"; do not edit.\n\n${parts.join('\n')}`
}

export const snapshotFile = (part: string): string => `src/${part}/queries.sql`

export function readSnapshot(part: string): string {
  const file = join(root, snapshotFile(part))
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : ''
}

/** Lines that send SQL and that no sample reached. */
export function unsampled(recorded: readonly Recorded[]): Place[] {
  const reached = new Set(recorded.map(({ file, line }) => `${file}:${line}`))
  return placesIn(readProduct()).filter(({ file, line }) => !reached.has(`${file}:${line}`))
}
