import type { SourceForm } from '../assistants/index.ts'
import type { SourceName, SourcePosition } from '../segment.ts'
import type { FileStamp } from './read/index.ts'
import type { Root } from './roots.ts'

/** A file and what is known of it. */
export interface Followed {
  readonly source: SourceName
  readonly form: SourceForm
  /** Undefined until the archive was asked. */
  position: SourcePosition | null | undefined
  /** How the file was when it was last read to its end. */
  stamp: FileStamp | undefined
  size: number
  /** Read again from the beginning, or taken as it is: see `ReadRequest`. */
  isSuspect: boolean
  isUnsettled: boolean
  failures: number
  /** The archive refused its next lines together: they are sent one by one. */
  isLineByLine: boolean
}

export function follow(root: Root, machine: string, path: string, form: SourceForm): Followed {
  return {
    source: { machine, assistant: root.assistant.id, root: root.path, path },
    form,
    position: undefined,
    stamp: undefined,
    size: 0,
    isSuspect: false,
    isUnsettled: false,
    failures: 0,
    isLineByLine: false,
  }
}

export function keyOf({ assistant, root, path }: Pick<SourceName, 'assistant' | 'root' | 'path'>): string {
  return `${assistant}\n${root}\n${path}`
}

export function isSameStamp(one: FileStamp | undefined, other: FileStamp): boolean {
  return one?.inode === other.inode && one.size === other.size && one.modified === other.modified
}

/** Bytes that the archive does not have yet; of documents and databases they are not known. */
export function behindBytes({ form, size, stamp, position }: Followed): number {
  // A file that was read to its end may end in half a line, which is not read until it is whole.
  if (form !== 'lines' || stamp?.size === size) return 0
  return Math.max(0, size - (position?.offset ?? 0))
}
