import { lstat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Log } from '#kernel/log'
import type { Sink, WatcherReport } from '../segment.ts'
import type { WatcherRefused } from './errors.ts'
import { createFolderWatch } from './folder-watch.ts'
import { follow, isSameStamp, keyOf, type Followed } from './followed.ts'
import { createPump } from './pump.ts'
import { stampOf, toSlashes, type FileStamp, type ReadRequest, type ReadResult } from './read/index.ts'
import { emptyEntries, rootsOf, SkipList } from './report.ts'
import { findRoots, type FoundRoots, type Root } from './roots.ts'
import { isOnTheWay, scan, type ScanVisitor } from './scan.ts'

export interface WatcherOptions {
  /** Home folders or assistants' folders, absolute. */
  entries: readonly string[]
  /** Whether an entry that is missing or holds no session is a problem: not where nobody named it. */
  namesEmpty?: boolean
  machine: string
  version: string
  sink: Sink
  read(request: ReadRequest): Promise<ReadResult>
  log: Log
  /** Whether what looks like a secret is masked before it is sent. */
  isRedacted: boolean
  onFailure?(path: string, reason: string): void
  isUnavailable?(error: unknown): boolean
  /** Called with the state after each step. */
  onProgress?(): void
  debounceMs?: number
  rescanMs?: number
  retryMs?: number
}

export interface Watcher {
  /** Finds what is there and follows it. Resolves when everything is found, not when it is stored. */
  start(): Promise<void>
  /** Resolves when everything found so far is stored, or with the reason why the archive refuses this watcher. */
  idle(): Promise<WatcherRefused | undefined>
  /** Resolves when the archive refuses this watcher. */
  refused: Promise<WatcherRefused>
  status(): WatcherReport & { failing: number }
  stop(): Promise<void>
}

/** While it works it reports so often; afterwards with each scan. */
const reportMs = 5_000

/** Follows the files of coding assistants. It only reads them, and keeps nothing on disk: the archive knows where it stands. */
export function createWatcher(options: WatcherOptions): Watcher {
  const { sink, machine, log } = options
  const startedAt = new Date().toISOString()
  const files = new Map<string, Followed>()
  const skips = new SkipList()
  /** Roots whose files were compared with those that the archive has. */
  const compared = new Set<string>()
  let found: FoundRoots = { roots: [], entries: [], places: [] }
  let rescanTimer: NodeJS.Timeout | undefined
  let watchProblem: string | null = null
  let reportedAt = 0
  let isStopped = false
  /** Scans and changes are handled one after the other. */
  let handled: Promise<void> = Promise.resolve()

  const pump = createPump({
    sink,
    read: options.read,
    isRedacted: options.isRedacted,
    onFailure: ({ source }, reason) => options.onFailure?.(source.path, reason),
    isUnavailable: options.isUnavailable ?? (() => false),
    onSkip: (file, skipped) => skips.add(file, skipped),
    onGone: (file) => files.delete(keyOf(file.source)),
    onStep() {
      options.onProgress?.()
      if (Date.now() - reportedAt > reportMs) void report()
    },
    retryMs: options.retryMs ?? 1_000,
    log,
  })

  const folders = createFolderWatch({
    debounceMs: options.debounceMs ?? 200,
    onChange: (paths) => inTurn(() => handleChanges(paths)),
    onOverflow(reason) {
      if (reason.startsWith('no more')) watchProblem = `${reason}: changes are found every 10 minutes`
      else inTurn(scanAll)
    },
  })

  function inTurn(work: () => Promise<void>): void {
    handled = handled
      .then(() => (isStopped ? undefined : work()))
      .catch((error: unknown) => log.error({ error }, 'the folders of coding assistants could not be read'))
  }

  async function report(): Promise<void> {
    reportedAt = Date.now()
    // A report that is lost is replaced by the next one.
    await sink.report(status()).catch(() => undefined)
  }

  function status(): WatcherReport {
    const roots = rootsOf(found.roots, files.values())
    const empty = options.namesEmpty ? emptyEntries(found, files.values()) : null
    const problem = pump.problem() ?? watchProblem ?? empty
    return { machine, version: options.version, startedAt, roots, skipped: skips.list(), problem }
  }

  async function scanAll(): Promise<void> {
    await findAll()
    const seen = new Set<string>()
    for (const root of found.roots) await scan(root, '', visitor(root, false, seen))
    for (const [key, file] of files) if (!seen.has(key)) pump.add(file, false)
    for (const root of found.roots) await findDeleted(root)
    void pump.idle().then(() => (isStopped ? undefined : report()))
  }

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
    pump.add(file, false)
  }

  async function findAll(): Promise<void> {
    found = await findRoots(options.entries)
    for (const { folder } of found.places) folders.add(folder)
  }

  function visitor(root: Root, isUrgent: boolean, seen?: Set<string>): ScanVisitor {
    return {
      folder: (path) => folders.add(join(root.path, path)),
      link: (path) => skips.add(nameOf(root, path), { reason: 'outside_root', bytes: 0 }),
      file(path, stamp) {
        seen?.add(keyOf(nameOf(root, path).source))
        noteFile(root, path, stamp, isUrgent)
      },
    }
  }

  function nameOf(root: Root, path: string): Pick<Followed, 'source'> {
    return { source: { machine, assistant: root.assistant.id, root: root.path, path } }
  }

  function noteFile(root: Root, path: string, stamp: FileStamp, isUrgent: boolean): void {
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
    pump.add(file, isUrgent)
  }

  async function handleChanges(paths: string[]): Promise<void> {
    if (paths.some(isPlaceOfRoot)) return scanAll()
    for (const path of paths)
      for (const root of found.roots) {
        const below = toSlashes(relative(root.path, path))
        if (!below.startsWith('..'))
          await handleChange(root, below.replace(/(\.db)-(?:wal|shm|journal)$/, '$1'))
      }
  }

  function isPlaceOfRoot(path: string): boolean {
    return found.places.some(({ folder, names }) => {
      const below = relative(folder, path)
      return !below.startsWith('..') && (names === null || names.has(below.split(/[/\\]/)[0] ?? ''))
    })
  }

  async function handleChange(root: Root, path: string): Promise<void> {
    const isFile = root.assistant.source(path) !== null
    if (!isFile && !isOnTheWay(root, path)) return
    const stat = await lstat(join(root.path, path), { bigint: true }).catch(() => undefined)
    if (stat === undefined) return forget(root, path)
    if (stat.isDirectory()) return scan(root, path, visitor(root, true))
    if (stat.isSymbolicLink()) return visitor(root, true).link(path)
    if (isFile && stat.isFile()) noteFile(root, path, stampOf(stat), true)
  }

  /** Deleted, a file or a folder: whether it is really so shows when each file is read. */
  function forget(root: Root, path: string): void {
    folders.remove(join(root.path, path))
    for (const file of files.values()) {
      const { source } = file
      if (source.root === root.path && (source.path === path || source.path.startsWith(`${path}/`)))
        pump.add(file, true)
    }
  }

  function scheduleRescan(): void {
    rescanTimer = setTimeout(() => {
      inTurn(scanAll)
      scheduleRescan()
    }, options.rescanMs ?? 600_000)
  }

  return {
    async start() {
      inTurn(scanAll)
      await handled
      scheduleRescan()
    },
    async idle() {
      await handled
      return pump.idle()
    },
    refused: pump.refused,
    status: () => ({ ...status(), failing: pump.failing() }),
    async stop() {
      isStopped = true
      clearTimeout(rescanTimer)
      folders.close()
      await handled
      await pump.stop()
    },
  }
}
