import { lstat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Log } from '#kernel/log'
import type { Sink, WatcherReport } from '../segment.ts'
import type { WatcherRefused } from './errors.ts'
import { createFolderWatch } from './folder-watch.ts'
import { createFileList } from './file-list.ts'
import { keyOf } from './followed.ts'
import { createPump } from './pump.ts'
import { stampOf, toSlashes, type ReadRequest, type ReadResult } from './read/index.ts'
import { emptyEntries, rootsOf, SkipList } from './report.ts'
import { findRoots, type FoundRoots, type Root } from './roots.ts'
import { isOnTheWay, scan } from './scan.ts'

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
  const skips = new SkipList()
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
    onGone: (file) => files.delete(file),
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

  const files = createFileList({ machine, sink, log, skips, folders, add: pump.add })

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
    const roots = rootsOf(found.roots, files.all())
    const empty = options.namesEmpty ? emptyEntries(found, files.all()) : null
    const problem = pump.problem() ?? watchProblem ?? empty
    return { machine, version: options.version, startedAt, roots, skipped: skips.list(), problem }
  }

  async function scanAll(): Promise<void> {
    await findAll()
    const seen = new Set<string>()
    for (const root of found.roots) await scan(root, '', files.visitor(root, false, seen))
    for (const file of files.all()) if (!seen.has(keyOf(file.source))) pump.add(file, false)
    for (const root of found.roots) await files.findDeleted(root)
    void pump.idle().then(() => (isStopped ? undefined : report()))
  }

  async function findAll(): Promise<void> {
    found = await findRoots(options.entries)
    for (const { folder } of found.places) folders.add(folder)
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
    if (stat === undefined) return files.forget(root, path)
    if (stat.isDirectory()) await scan(root, path, files.visitor(root, true))
    const session = root.assistant.changedSession?.(path) ?? null
    if (session !== null) files.noteSession(root, session)
    if (stat.isDirectory()) return
    if (stat.isSymbolicLink()) return files.visitor(root, true).link(path)
    if (isFile && stat.isFile()) files.note(root, path, stampOf(stat), true)
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
