import { assistants } from '../assistants/index.ts'
import type { Derived } from '../derive/index.ts'
import type { SourceName } from '../segment.ts'
import type { Owner } from '../store/session-store.ts'
import { markPresent, type Db } from '../store/source-store.ts'

/** A side file names sessions, or says more about one: it is not the file of any. */
export function isSideFile({ assistant, path }: Pick<SourceName, 'assistant' | 'path'>): boolean {
  return assistants.find(({ id }) => id === assistant)?.source(path)?.role === 'side-file'
}

/** The sessions of these lines have a file, which is there. */
export async function notePresent(
  db: Db,
  from: Owner,
  name: Pick<SourceName, 'assistant' | 'path'>,
  { sessions }: Derived,
): Promise<void> {
  if (isSideFile(name)) return
  await markPresent(
    db,
    from,
    sessions.map(({ key }) => key),
  )
}
