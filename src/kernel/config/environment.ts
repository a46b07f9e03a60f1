import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

export type Environment = Record<string, string | undefined>

export function readEnvironment(): Environment {
  const file = resolve('.env')
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  return { ...fromFile, ...process.env }
}

const basics = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot', 'PATHEXT', 'USERPROFILE', 'TEMP']

/** What any program needs of the environment, and nothing that could be a secret: for processes that we start. */
export function basicEnvironment(environment: Environment = process.env): Record<string, string> {
  return Object.fromEntries(
    basics.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

/** A variable whose parsed value is a Secret is never echoed, not even when it is wrong. */
export function isSecret(name: string): boolean {
  return /(_KEY|_SECRET|DATABASE_URL|DATABASE_DIRECT_URL|DATABASES|SMTP_URL|_HEADERS)$/.test(name)
}
