import { watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'

export interface FolderWatch {
  /** Watches one folder, not what is below it; twice the same is once. */
  add(folder: string): void
  remove(folder: string): void
  close(): void
}

export interface FolderWatchOptions {
  /** Events are gathered for so long. */
  debounceMs: number
  /** Paths that changed. */
  onChange(paths: string[]): void
  /** Events may have been lost, or the system allows no further watches: only a scan finds all changes. */
  onOverflow(reason: string): void
}

/** The kernel drops events when its queue is full, and Node does not say so: a flood of them is taken for it. */
const floodOfEvents = 4_000

/** The operating system's notifications, in batches. Without changes nothing runs. */
export function createFolderWatch({ debounceMs, onChange, onOverflow }: FolderWatchOptions): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function note(path: string): void {
    changed.add(path)
    timer ??= setTimeout(flush, debounceMs)
  }

  function flush(): void {
    timer = undefined
    const paths = [...changed]
    changed.clear()
    if (paths.length >= floodOfEvents) onOverflow('too many changes at once')
    else onChange(paths)
  }

  function remove(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  return {
    add(folder) {
      if (watchers.has(folder)) return
      try {
        const watcher = watch(folder, { persistent: true }, (_event, name) =>
          note(name === null ? folder : join(folder, name)),
        )
        watcher.on('error', () => {
          remove(folder)
          note(folder)
        })
        watchers.set(folder, watcher)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOSPC' || code === 'EMFILE') onOverflow(`no more folders can be watched (${code})`)
      }
    },
    remove,
    close() {
      clearTimeout(timer)
      for (const folder of watchers.keys()) remove(folder)
    },
  }
}
