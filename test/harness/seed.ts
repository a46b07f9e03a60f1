import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files of a database server that has been made and migrated, and then stopped. */
const parts = ['postgres', 'postgres.password']
const folder = (): string => join(tmpdir(), 'seed')

/** Keeps the database of this DATA_DIR for tests that start the server as a process. Its server must be stopped. */
export function keepSeed(dataDir: string): void {
  copy(dataDir, folder())
  // A test kills processes, never the machine, so nothing has to reach the disk.
  appendFileSync(join(folder(), 'postgres/postgresql.conf'), 'fsync = off\nfull_page_writes = off\n')
}

/** Gives a DATA_DIR without a database a migrated one, as making it takes longer than most tests. */
export function useSeed(dataDir: string): void {
  if (existsSync(folder()) && !existsSync(join(dataDir, 'postgres'))) copy(folder(), dataDir)
}

/** By `cp`, because the files belong to another user when this is root. */
function copy(from: string, to: string): void {
  if (process.platform === 'win32') return
  mkdirSync(to, { recursive: true, mode: 0o700 })
  const { status, stderr } = spawnSync('cp', ['-a', ...parts.map((name) => join(from, name)), to])
  if (status !== 0) throw new Error(`the database could not be copied to ${to}: ${stderr.toString()}`)
}
