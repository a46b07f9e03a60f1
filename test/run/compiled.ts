import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useSeed } from '../harness/seed.ts'

/** The folder of the command line (src/cli/main.js): what a process has compiled no other one has to, in any run. */
export const compiledFolder = (root: string): string => join(root, 'node_modules/.cache/signalbox/compiled')

/**
 * Starts the server once and stops it. What it loads is then compiled; a server that a test kills leaves nothing
 * compiled behind. Whether it starts is for the tests to say.
 */
export async function compileServer(entry: string, stop: AbortSignal): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'compiling-'))
  useSeed(dataDir)
  const child = spawn(process.execPath, [entry, 'serve'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', TRANSCRIPTS_DIR: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  stop.addEventListener('abort', () => child.kill('SIGTERM'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (output.includes('is ready at')) child.kill('SIGTERM')
  })
  await ended
  rmSync(dataDir, { recursive: true, force: true })
}
