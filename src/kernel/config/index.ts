import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { StartFault } from '#kernel/errors'
import { isSecret, readEnvironment, type Environment } from './environment.ts'
import { variables } from './variables.ts'

export { basicEnvironment } from './environment.ts'
export { describeForSupport } from './support.ts'

const schema = z.object(variables)

export type Variables = z.infer<typeof schema>
export type Role = Variables['ROLES'] extends Set<infer R> ? R : never

export interface Config extends Variables {
  /** A loopback request with the owner token is the local owner's. */
  readonly localOwner: boolean
  readonly DRAIN_DELAY_MS: number
}

/** Reads the environment and `.env` once. An invalid value stops the start with a line that says how to fix it. */
export function loadConfig(environment: Environment = readEnvironment()): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (!parsed.success)
    throw new StartFault(parsed.error.issues.map((issue) => describe(issue, given)).join('\n'))
  const values = parsed.data
  checkTogether(values)
  return Object.freeze({
    ...values,
    DATA_DIR: resolve(values.DATA_DIR),
    localOwner: allowsLocalOwner(values),
    // One person alone has no proxy that needs time to notice.
    DRAIN_DELAY_MS: values.DRAIN_DELAY_MS ?? (allowsLocalOwner(values) ? 0 : 5_000),
  })
}

function describe(issue: z.core.$ZodIssue, given: Environment): string {
  const name = String(issue.path[0])
  const shown = isSecret(name) ? 'the value' : JSON.stringify(given[name])
  return `${name}: ${shown} is not valid: ${issue.message}.`
}

function checkTogether(values: Variables): void {
  if (values.AUTH === 'local' && !isLoopback(values.HOST)) {
    throw new StartFault(
      `AUTH: "local" makes everyone who can reach ${values.HOST} the owner. Use HOST=127.0.0.1, or AUTH=required.`,
    )
  }
  if (values.AUTH === 'local' && values.PUBLIC_URL) {
    throw new StartFault(
      'AUTH: "local" cannot be combined with PUBLIC_URL. Unset PUBLIC_URL, or use AUTH=required.',
    )
  }
  const oidc = [values.OIDC_ISSUER, values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET]
  if (oidc.some(Boolean) && !oidc.every(Boolean)) {
    throw new StartFault(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together: all three or none.',
    )
  }
  if ((values.SMTP_URL === undefined) !== (values.SMTP_FROM === undefined))
    throw new StartFault('SMTP_URL and SMTP_FROM must be set together: both or none.')
}

function allowsLocalOwner(values: Variables): boolean {
  if (values.AUTH === 'local') return true
  return values.AUTH === 'auto' && isLoopback(values.HOST) && values.PUBLIC_URL === undefined
}

/** `localhost`, names under it, and the loopback addresses; brackets of IPv6 allowed. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  if (isIP(name) === 4) return name.startsWith('127.')
  return name === '::1' || name.startsWith('::ffff:127.')
}

export interface ConfigLine {
  name: string
  value: string | null
  source: 'set' | 'default'
  meaning: string
  /** What a value must be; null where any text will do. */
  allowed: string | null
}

/** The effective configuration with secrets hidden, for `signalbox config`. */
export function describeConfig(config: Config, environment: Environment = readEnvironment()): ConfigLine[] {
  return Object.entries(variables).map(([name, variable]) => ({
    name,
    value: show(config[name as keyof Variables]),
    source: environment[name] ? 'set' : 'default',
    meaning: variable.description ?? '',
    allowed: allowedBy(variable),
  }))
}

/** The words that a wrong value would get. */
function allowedBy(variable: z.ZodType): string | null {
  const { error } = variable.safeParse('\u0000')
  return error?.issues[0]?.message.replace(/^give (one of )?/, '') ?? null
}

function show(value: Config[keyof Variables]): string | null {
  if (value === undefined) return null
  if (value instanceof Set || Array.isArray(value)) return [...value].join(',')
  // Secrets print as '[secret]', also inside the object of databases.
  return typeof value === 'object' ? JSON.stringify(value).replace(/^"(.*)"$/, '$1') : String(value)
}
