import { join } from 'node:path'
import type { Log } from '#kernel/log'
import type { Sink } from '../segment.ts'
import type { FolderWatch } from './folder-watch.ts'
import { follow, isSameStamp, keyOf, type Followed } from './followed.ts'
import type { Pump } from './pump.ts'
import type { FileStamp } from './read/index.ts'
import type { SkipList } from './report.ts'
import type { Root } from './roots.ts'
import type { ScanVisitor } from './scan.ts'

export interface FileListDeps {
  machine: string
  sink: Sink
  log: Log
  skips: SkipList
  folders: FolderWatch
  /** Has what a file gained moved into the archive. */
  add: Pump['add']
}

/** The files that are followed; each that may have changed is handed on. */
export function createFileList({ machine, sink, log, skips, folders, add }: FileListDeps) {
  const files = new Map<string, Followed>()
  /** Roots whose files were compared with those that the archive has. */
  const compared = new Set<string>()

  /** Files that were deleted while no watcher ran: whether it is really so shows when each is read. */
  async function findDeleted(root: Root): Promise<void> {
    const name = { machine, assistant: root.assistant.id, root: root.path }
    const key = keyOf({ ...name, path: '' })
    if (compared.has(key)) return
    try {
      for (let cursor: string | null = null; ;) {
        const page = await sink.files(name, cursor)
        for (const path of page.paths) followDeleted(root, path)
        cursor = page.next
        if (cursor === null) break
      }
      compared.add(key)
    } catch (error) {
      // The next scan asks again.
      log.warn({ error }, 'the archive did not list the files of a folder')
    }
  }

  function followDeleted(root: Root, path: string): void {
    const source = root.assistant.source(path)
    const key = keyOf(nameOf(root, path).source)
    if (source === null || files.has(key)) return
    const file = follow(root, machine, path, source.form)
    files.set(key, file)
    add(file, false)
  }

  function visitor(root: Root, isUrgent: boolean, seen?: Set<string>): ScanVisitor {
    return {
      folder: (path) => folders.add(join(root.path, path)),
      link: (path) => skips.add(nameOf(root, path), { reason: 'outside_root', bytes: 0 }),
      file(path, stamp) {
        seen?.add(keyOf(nameOf(root, path).source))
        note(root, path, stamp, isUrgent)
      },
    }
  }

  function nameOf(root: Root, path: string): Pick<Followed, 'source'> {
    return { source: { machine, assistant: root.assistant.id, root: root.path, path } }
  }

  function note(root: Root, path: string, stamp: FileStamp, isUrgent: boolean): void {
    const source = root.assistant.source(path)
    if (source === null) return
    const key = keyOf(nameOf(root, path).source)
    const file = files.get(key) ?? follow(root, machine, path, source.form)
    files.set(key, file)
    file.size = stamp.size
    const { stamp: before } = file
    // The stamp of a database does not show what is in its log of changes.
    if (isSameStamp(before, stamp) && source.form !== 'database') return
    // A file that only grows does not change and stay as long as it was.
    if (source.form === 'lines' && before?.inode === stamp.inode && before.size === stamp.size)
      file.isSuspect = true
    if (source.form === 'document' && file.isUnsettled && !isUrgent) file.isSuspect = true
    add(file, isUrgent)
  }

  /** Files that hold something of the session, where another file says that it changed. */
  function noteSession(root: Root, sessionKey: string): void {
    for (const file of files.values()) {
      const { source } = file
      if (source.root !== root.path || source.assistant !== root.assistant.id) continue
      if (root.assistant.source(source.path)?.sessionKey === sessionKey) add(file, true)
    }
  }

  /** Deleted, a file or a folder: whether it is really so shows when each file is read. */
  function forget(root: Root, path: string): void {
    folders.remove(join(root.path, path))
    for (const file of files.values()) {
      const { source } = file
      if (source.root === root.path && (source.path === path || source.path.startsWith(`${path}/`)))
        add(file, true)
    }
  }

  return {
    all: () => files.values(),
    delete: (file: Followed) => files.delete(keyOf(file.source)),
    ...{ findDeleted, forget, note, noteSession, visitor },
  }
}
