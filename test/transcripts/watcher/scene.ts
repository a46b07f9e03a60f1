import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { createLog } from '#kernel/log'
import { temporaryFolder } from '#test/product'
import { createWatcher, readSegment, type Watcher } from '../../../src/transcripts/watcher/index.ts'
import { MemorySink } from './memory-sink.ts'

export const session = '0190b3a2-1111-4222-8333-444455556666'
export const mainPath = `projects/-home-dev-shop/${session}.jsonl`

export interface Scene {
  /** A home folder with Claude Code's folder in it. */
  home: string
  root: string
  sink: MemorySink
  watcher: Watcher
  /** Writes a file below the root and returns its path. */
  write(path: string, text: string | Uint8Array): string
  /** Starts the watcher and waits until everything is stored. */
  run(): Promise<void>
}

/** A watcher on a home folder of its own, with an archive in memory. */
export async function setScene(
  options: { entries?: (home: string) => string[]; rescanMs?: number; sink?: MemorySink; home?: string } = {},
): Promise<Scene> {
  const home = options.home ?? temporaryFolder()
  const root = join(home, '.claude')
  mkdirSync(join(root, 'projects'), { recursive: true })
  const sink = options.sink ?? new MemorySink()
  const watcher = createWatcher({
    entries: options.entries?.(home) ?? [home],
    machine: 'laptop',
    version: '1.0.0',
    sink,
    read: readSegment,
    isRedacted: true,
    namesEmpty: true,
    log: await createLog({ level: 'silent', form: 'json' }),
    debounceMs: 20,
    retryMs: 10,
    ...(options.rescanMs === undefined ? {} : { rescanMs: options.rescanMs }),
  })
  after(() => watcher.stop())
  return {
    home,
    root,
    sink,
    watcher,
    write(path, text) {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
    async run() {
      await watcher.start()
      await watcher.idle()
    },
  }
}

export function userLine(text: string): string {
  return JSON.stringify({ type: 'user', uuid: `uuid of ${text}`, message: { role: 'user', content: text } })
}
