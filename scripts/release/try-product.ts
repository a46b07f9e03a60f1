import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, type Lock } from './sbom.ts'

export interface Tried {
  commit: string
  /** What npm installed that is not in the SBOM, because a package allows newer versions of another. */
  unlisted: string[]
}

const startMs = 120_000

/** Installs the packed file into an empty folder, as a user does, starts it there and asks it who it is. */
export async function tryProduct(
  file: string,
  folder: string,
  version: string,
  listed: ReadonlySet<string>,
): Promise<Tried> {
  mkdirSync(folder)
  const env = { ...process.env, PATH: ownPath(), PORT: '0', LOG_LEVEL: 'error', TRANSCRIPTS_DIR: folder }
  execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', file], { cwd: folder, env })
  const printed = execFileSync('npx', ['signalbox', '--version', '--json'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  const { commit } = sameVersion('--version', JSON.parse(printed), version)
  const child = spawn('npx', ['signalbox'], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  try {
    const output = await ready(child.stdout)
    const url = /is ready at (http\S+)/.exec(output)?.[1] ?? ''
    const token = /\?token=(\S+)/.exec(output)?.[1] ?? ''
    for (const path of ['/livez', '/readyz', '/', '/docs']) {
      // A page of the dashboard is only for those who ask for HTML.
      const { status } = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })
      if (status !== 200) throw new Error(`${path} of the installed product returns ${status}.`)
    }
    const me = await fetch(`${url}/api/v1/me`, { headers: { 'x-owner-token': token } })
    const running = sameVersion('/api/v1/me', await me.json(), version)
    if (running.commit !== commit) throw new Error(`It runs ${running.commit} and prints ${commit}.`)
  } finally {
    // npx and the shell between do not pass a signal on.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    // npx ends at once; the product closes the pipe when it has stopped, and needs its folder until then.
    child.stdout.resume()
    await ended
  }
  const installed = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as Lock
  const unlisted = packagesOf(installed).filter(
    (name) => !listed.has(name) && name !== `signalbox@${version}`,
  )
  return { commit, unlisted }
}

/** The Node of the machine: that of the checkout comes first in the scripts of npm. */
function ownPath(): string {
  const inCheckout = (entry: string): boolean => /node_modules/.test(entry)
  return (process.env['PATH'] ?? '')
    .split(':')
    .filter((entry) => !inCheckout(entry))
    .join(':')
}

function sameVersion(where: string, said: unknown, version: string): { commit: string } {
  const { version: found, commit } = said as { version?: string; commit?: string }
  if (found !== version || commit === undefined)
    throw new Error(`${where} of the installed product says ${JSON.stringify(said)}, not ${version}.`)
  return { commit }
}

async function ready(stream: NodeJS.ReadableStream): Promise<string> {
  const deadline = AbortSignal.timeout(startMs)
  let output = ''
  while (!/is ready at \S+\n[^]*\?token=\S+\n/.test(output)) {
    const [piece] = (await Promise.race([
      once(stream, 'data', { signal: deadline }),
      once(stream, 'end').then(() => {
        throw new Error(`The installed product ended at its start: ${output}`)
      }),
    ])) as [Buffer]
    output += piece.toString()
  }
  return output
}
