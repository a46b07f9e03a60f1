import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stampOf, type FileStamp } from './read/index.ts'
import type { Root } from './roots.ts'

/** Deeper folders are not looked into: assistants nest theirs half as deep. */
const maxDepth = 12

export interface ScanVisitor {
  /** Before the folder's entries are listed, so that nothing that comes later is missed. */
  folder(path: string): void
  file(path: string, stamp: FileStamp): void
  /** A link in the place of a transcript, or of a folder of transcripts. */
  link(path: string): void
}

/** Whether the folder (relative, with `/`) is on the way to transcripts or holds them. */
export function isOnTheWay({ assistant }: Root, folder: string): boolean {
  if (folder === '') return true
  return assistant.folders.some(
    (each) => each === folder || each.startsWith(`${folder}/`) || folder.startsWith(`${each}/`),
  )
}

/** Walks the folder `start` (relative) of a root. Links are never followed. */
export async function scan(root: Root, start: string, visitor: ScanVisitor): Promise<void> {
  if (!isOnTheWay(root, start) || start.split('/').length > maxDepth) return
  visitor.folder(start)
  const entries = await readdir(join(root.path, start), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = start === '' ? entry.name : `${start}/${entry.name}`
    if (entry.isDirectory()) await scan(root, path, visitor)
    else if (entry.isSymbolicLink()) {
      if (root.assistant.source(path) !== null || (start !== '' && isOnTheWay(root, path))) visitor.link(path)
    } else if (entry.isFile() && root.assistant.source(path) !== null) {
      const stat = await lstat(join(root.path, path), { bigint: true }).catch(() => undefined)
      if (stat !== undefined) visitor.file(path, stampOf(stat))
    }
  }
}
