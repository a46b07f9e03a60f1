import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

/** The files of a database server that has been made and migrated, and then stopped. */
const parts = ['postgres', 'postgres.password']
const root = join(import.meta.dirname, '../..')
/** Another run may be copying it. */
const keptMs = 3_600_000
const cache = join(root, 'node_modules/.cache/signalbox/seeds')

/**
 * A test kills processes, never the machine, so nothing has to reach the disk. Its databases are too small and too
 * short-lived for the work of a server in the background.
 */
export const quickSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  io_method: 'sync',
}

/** Named after all that it was made from, so that it is good for every run until one of those changes. */
function folder(): string {
  const hash = createHash('sha256')
  const sources = ['src/kernel/{db,jobs}/*.ts', 'migrations/*', 'test/harness/{seed,server}.ts']
  for (const file of globSync(['package-lock.json', ...sources], { cwd: root }).toSorted())
    hash.update(`${file}\n${readFileSync(join(root, file), 'utf8')}\n`)
  return join(cache, hash.digest('hex').slice(0, 16))
}

let found: string | undefined
const seed = (): string => (found ??= folder())

/** Keeps the database of this DATA_DIR for servers that tests start, now and in later runs. It must be stopped. */
export function keepSeed(dataDir: string): void {
  const making = join(cache, `making-${randomUUID()}`)
  copy(dataDir, making)
  const lines = Object.entries(quickSettings).map(([name, value]) => `${name} = ${value}\n`)
  appendFileSync(join(making, 'postgres/postgresql.conf'), lines.join(''))
  for (const old of globSync('*', { cwd: cache }).map((name) => join(cache, name)))
    if (Date.now() - statSync(old).ctimeMs > keptMs) rmSync(old, { recursive: true, force: true })
  renameSync(making, seed())
}

/** Gives a DATA_DIR without a database a migrated one, as making it takes longer than most tests. False: there is none. */
export function useSeed(dataDir: string): boolean {
  if (!existsSync(seed())) return false
  if (!existsSync(join(dataDir, 'postgres'))) copy(seed(), dataDir)
  return true
}

/** By `cp`, because the files belong to another user when this is root. */
function copy(from: string, to: string): void {
  if (process.platform === 'win32') return
  mkdirSync(to, { recursive: true, mode: 0o700 })
  const { status, stderr } = spawnSync('cp', ['-a', ...parts.map((name) => join(from, name)), to])
  if (status !== 0) throw new Error(`the database could not be copied to ${to}: ${stderr.toString()}`)
}
