import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  closeSync,
  fsyncSync,
  openSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf, StartFault } from '#kernel/errors'
import { Secret } from '#kernel/log'

export { lockDataDir, type DataDirLock } from './lock.ts'
export { findOwnerToken, ownerToken } from './owner-token.ts'
export { processStartTime } from './process-start.ts'
export { findServerUrl, noteServerUrl, serverUrl } from './running-server.ts'

/** Creates the data directory if needed and checks that it is writable. */
export function prepareDataDir(path: string): void {
  const probe = join(path, `.write-test-${process.pid}`)
  try {
    makeFolder(path)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw new StartFault(
      `DATA_DIR: cannot write to ${path} (${messageOf(error)}). Give this user write access, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

/** Not `recursive`: Node would try for ever where the parent is a file system that makes no folders, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** A secret of 32 random bytes kept in a file of mode 0600, created on first use. */
export function keyFile(path: string): Secret {
  if (!existsSync(path)) {
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
    return keyFile(path)
  }
  const text = readKeyFile(path)
  if (Buffer.from(text, 'base64').length !== 32 || !/^[A-Za-z0-9+/]{43}=$/.test(text)) {
    throw new StartFault(
      `${path} is damaged: it must contain 32 bytes in base64. Restore the original from your backup; ` +
        'without it the data it encrypted cannot be decrypted. To start without that data, move the file away and run: npx signalbox keys drop-sealed',
    )
  }
  chmodSync(path, 0o600)
  return new Secret(text)
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new StartFault(`${path} cannot be read (${messageOf(error)}). Give this user read access.`, {
      cause: error,
    })
  }
}

/** The master key where there is one already. Commands that only read must not create one. */
export function findMasterKey(config: {
  MASTER_KEY?: Secret | undefined
  DATA_DIR: string
}): Secret | undefined {
  const path = join(config.DATA_DIR, 'master.key')
  return config.MASTER_KEY ?? (existsSync(path) ? keyFile(path) : undefined)
}

/** The key that wraps every data key of the key store: given by the operator, or kept in the data directory. */
export function masterKey(config: { MASTER_KEY?: Secret | undefined; DATA_DIR: string }): Secret {
  return config.MASTER_KEY ?? keyFile(join(config.DATA_DIR, 'master.key'))
}

/** A new or renamed file survives a power failure only once its folder is on the disk too. Windows cannot do this. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
