import { sourceOf, type Derived } from '../derive/index.ts'
import type { SourceName } from '../segment.ts'
import type { Owner } from '../store/session-store.ts'
import { markPresent, type Db } from '../store/source-store.ts'

/** The sessions of these lines have a file, which is there. A side file is not the file of any. */
export async function notePresent(
  db: Db,
  from: Owner,
  { assistant, path }: Pick<SourceName, 'assistant' | 'path'>,
  { sessions }: Derived,
): Promise<void> {
  if (sourceOf(assistant, path).source.role === 'side-file') return
  await markPresent(
    db,
    from,
    sessions.map(({ key }) => key),
  )
}
