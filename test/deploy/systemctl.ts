import { spawn, spawnSync, type SpawnSyncOptions } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/*
 * What `systemctl` does with the units of the guide, where no systemd runs: their environment, their folders, their
 * program as a user without rights. Not their sandbox: that user owns nothing else and cannot gain rights.
 */

const root = process.env['TRY_ROOT'] ?? ''
/** Of the user nobody: initdb asks for the name of its user. */
const nobodySpecial = 65_534

interface Unit {
  name: string
  run: string[]
  after: string[]
  environment: Record<string, string>
}

function read(name: string): Unit {
  const [base = '', instance = ''] = name.replace(/\.service$/, '').split('@')
  const file = `${base}${instance ? '@' : ''}.service`
  const text = readFileSync(join(root, 'etc/systemd/system', file), 'utf8')
    .replaceAll('%i', instance)
    .replaceAll('%%', '%')
  const all = (key: string): string[] =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  const pairs = [
    ...all('EnvironmentFile').flatMap((path) => readFileSync(path, 'utf8').split('\n')),
    ...all('Environment').flatMap((line) => line.split(' ')),
  ].filter((line) => /^\w+=/.test(line))
  for (const folder of all('StateDirectory').flatMap((line) => line.split(' ')))
    makeOwn(join(root, 'var/lib', folder))
  return {
    name,
    run: words(all('ExecStart')[0] ?? ''),
    after: words(all('ExecStartPost')[0] ?? 'true'),
    environment: {
      HOME: '/',
      ...Object.fromEntries(pairs.map((pair) => pair.split(/=([^]*)/).slice(0, 2) as [string, string])),
    },
  }
}

const words = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

function makeOwn(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  chownSync(folder, nobodySpecial, nobodySpecial)
}

const pidFile = (name: string): string => join(root, 'run', `${name}.pid`)
const options = ({ name, environment }: Unit): SpawnSyncOptions => {
  const log = openSync(join(root, 'run', `${name}.log`), 'a')
  return { cwd: join(root, 'opt/signalbox'), env: environment, stdio: ['ignore', log, log] }
}
/** The program of a unit, by which its right to gain others is taken away. */
const withoutRights = (run: string[]): string[] => [
  ...['--reuid', String(nobodySpecial), '--regid', String(nobodySpecial), '--clear-groups'],
  ...['--no-new-privs', '--', ...run],
]

function start(name: string): void {
  const unit = read(name)
  const child = spawn('setpriv', withoutRights(unit.run), { ...options(unit), detached: true } as object)
  writeFileSync(pidFile(name), String(child.pid))
  child.unref()
}

async function stop(name: string): Promise<void> {
  const pid = Number(readFileSync(pidFile(name), 'utf8'))
  process.kill(pid, 'SIGTERM')
  while (existsSync(`/proc/${pid}/exe`) && !isEnded(pid)) await wait(50)
  rmSync(pidFile(name))
}

const isEnded = (pid: number): boolean => {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** A unit that ends: its status is that of the command. */
function runOnce(name: string): number {
  const unit = read(name)
  const run = (line: string[]): number | null =>
    spawnSync('setpriv', withoutRights(line), options(unit)).status
  return run(unit.run) || run(unit.after) || 0
}

const [verb, ...rest] = process.argv.slice(2)
const name = rest.at(-1) ?? ''
if (name === 'nginx') process.exitCode = spawnSync(join(root, 'bin/nginx'), ['-s', 'reload']).status ?? 1
else if (name.endsWith('.timer')) process.exitCode = 0
else if (name === 'signalbox-backup') process.exitCode = runOnce(name)
else if (verb === 'enable' || verb === 'start') start(name)
else if (verb === 'restart') {
  await stop(name)
  start(name)
} else if (verb !== 'daemon-reload') throw new Error(`systemctl ${verb} is not known here.`)
