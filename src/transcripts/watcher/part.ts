import type { Config } from '#kernel/config'
import { isDatabaseDown, tryWithLock, type Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import type { Sink } from '../segment.ts'
import { machineName, watchedEntries } from './entries.ts'
import { createPause } from './pause.ts'
import { createThreadReader } from './reader.ts'
import { createWatcher } from './watcher.ts'

export interface WatcherPartDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  version: string
  /** The archive of the group that this server's own sessions belong to. */
  openSink(): Promise<Sink>
}

/** How often a process that does not watch looks whether the one that does has ended. */
const takeOverMs = 30_000

/** Follows the sessions of the machine that the server runs on. */
export function createWatcherPart(deps: WatcherPartDeps): Part {
  const { config, database, log } = deps
  const machine = machineName(config)
  const entries = watchedEntries(config)
  const stopped = new AbortController()
  const pause = createPause()
  let running: Promise<void> = Promise.resolve()

  async function watch(): Promise<void> {
    const reader = createThreadReader()
    const watcher = createWatcher({
      entries,
      namesEmpty: config.TRANSCRIPTS_DIR !== undefined,
      machine,
      version: deps.version,
      sink: await deps.openSink(),
      read: reader.read,
      isRedacted: config.TRANSCRIPTS_REDACT !== 'off',
      isUnavailable: isDatabaseDown,
      onFailure: (path, reason) => reportFailure(path, reason),
      log,
    })
    try {
      await watcher.start()
      await untilAborted(stopped.signal)
    } finally {
      await watcher.stop()
      await reader.close()
    }
  }

  function reportFailure(path: string, reason: string): void {
    deps.events.emit('activity', {
      groupId: null,
      by: null,
      type: 'error',
      severity: 'error',
      service: null,
      source: 'platform',
      title: 'A transcript could not be stored',
      message: reason,
      metadata: { machine, path },
    })
  }

  /** Several processes share the port: one of them watches. A single one has the lock of the data directory. */
  async function watchAlone(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        if (config.WORKERS === 1) await watch()
        else await tryWithLock(database.sessions, `transcripts watcher ${machine} ${entries.join()}`, watch)
      } catch (error) {
        log.error({ error }, 'the watcher of transcripts ended and starts again')
      }
      await pause.wait(takeOverMs)
    }
  }

  return {
    name: 'transcript watcher',
    role: 'watcher',
    async start() {
      running = watchAlone()
    },
    async stop() {
      stopped.abort()
      pause.end()
      await running
    },
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
