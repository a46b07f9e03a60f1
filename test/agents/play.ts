import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../harness/product.ts'

/** A folder that is kept saves the next run minutes of installing, and has what the agents wrote. */
const keptFolder = process.env['AGENTS_FOLDER']

/** Installs packages from npm and gives the folder of their programs. */
export async function installAgents(packages: readonly string[]): Promise<string> {
  const cwd = keptFolder ?? temporaryFolder()
  mkdirSync(cwd, { recursive: true })
  const file = join(cwd, 'package.json')
  // npm removes what a file that is there no longer names.
  if (!existsSync(file)) writeFileSync(file, JSON.stringify({ private: true }))
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd, timeout: 900_000 })
  return join(cwd, 'node_modules/.bin')
}

/** Kept beside the agents, where those are kept, to be read before a parser is written. */
export function homeOf(name: string): string {
  if (keptFolder === undefined) return temporaryFolder()
  const home = join(keptFolder, 'homes', name)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  return home
}

export interface Played {
  code: number | null
  output: string
}

interface Start {
  args: string[]
  environment: Record<string, string>
  home: string
  project: string
}

/** Runs an agent with a home of its own; whatever is not on this machine is out of reach. */
export async function play(program: string, { args, environment, home, project }: Start): Promise<Played> {
  const child = spawn(program, args, {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 90_000,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      TERM: 'dumb',
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (output += piece.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
