import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, StartFault } from '#kernel/errors'
import { Secret } from '#kernel/log'

const fileIn = (dataDir: string): string => join(dataDir, 'owner.token')

/** What proves that a request comes from the owner of this machine: 32 random bytes, made at the first start. */
export function ownerToken(dataDir: string): Secret {
  const existing = findOwnerToken(dataDir)
  if (existing) return existing
  const draft = `${fileIn(dataDir)}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  try {
    // A link appears whole or not at all, and never replaces the token of a process that was faster.
    linkSync(draft, fileIn(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return ownerToken(dataDir)
}

export function findOwnerToken(dataDir: string): Secret | undefined {
  const file = fileIn(dataDir)
  if (!existsSync(file)) return undefined
  const text = readToken(file)
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) {
    throw new StartFault(
      `${file} is damaged. Delete it and restart Signalbox: it makes a new one and prints the new link.`,
    )
  }
  chmodSync(file, 0o600)
  return new Secret(text)
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartFault(`${file} cannot be read (${messageOf(error)}). Give this user read access.`, {
      cause: error,
    })
  }
}
