import { assistants } from '../../assistants/index.ts'
import { openBelow } from './file.ts'
import { readCompressed } from './read-compressed.ts'
import { readDatabase } from './read-database.ts'
import { readDocument } from './read-document.ts'
import { readLines } from './read-lines.ts'
import type { ReadRequest, ReadResult } from './request.ts'

export { stampOf, toSlashes } from './file.ts'
export type { FileStamp, ReadRequest, ReadResult } from './request.ts'

/** Reads the next segment of a source. It keeps nothing: what it needs is in the request and in the file. */
export async function readSegment(request: ReadRequest): Promise<ReadResult> {
  const { source: name } = request
  const assistant = assistants.find(({ id }) => id === name.assistant)
  const source = assistant?.source(name.path)
  if (assistant === undefined || !source) return { kind: 'missing' }
  const file = await openBelow(name)
  if (file === 'missing') return { kind: 'missing' }
  if (file === 'outside') return { kind: 'skipped', reason: 'outside_root', bytes: 0, stamp: null }
  if (file === 'unreadable') return { kind: 'skipped', reason: 'unreadable', bytes: 0, stamp: null }
  try {
    if (source.isCompressed === true) return await readCompressed(file, assistant, request)
    if (source.form === 'lines') return await readLines(file, assistant, request)
    if (source.form === 'document') return await readDocument(file, request)
    return await readDatabase(file, assistant, request)
  } finally {
    await file.handle.close()
  }
}
