import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { commandLine } from '../../test/run/command-line.ts'
import type { Archive } from './rows.ts'

/** `signalbox watch` as a process of its own. */
export function startWatch(archive: Archive, home: string, args: string[] = []): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env
  return spawn(process.execPath, [commandLine(), 'watch', '--to', archive.url, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH,
      HOME,
      TMPDIR,
      SIGNALBOX_API_KEY: archive.key,
      TRANSCRIPTS_DIR: home,
      TRANSCRIPTS_MACHINE: 'laptop',
    },
  })
}

/** Sends everything that is there. */
export async function watchOnce(archive: Archive, home: string): Promise<void> {
  const child = startWatch(archive, home, ['--once'])
  child.stdout?.resume()
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`signalbox watch --once ended with ${code}`)
}
