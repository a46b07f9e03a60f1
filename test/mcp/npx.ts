import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Ended {
  code: number | null
  stdout: string
  output: string
}

/** Runs a package of npm that is too large to be installed for every run of the tests. */
export async function npx(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const child = spawn('npx', ['--yes', '--prefer-offline', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    env: { ...process.env, ...environment },
  })
  let [stdout, output] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk)
    output += String(chunk)
  })
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, output }
}
