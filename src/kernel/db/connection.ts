import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, StartFault } from '#kernel/errors'
import type { Secret } from '#kernel/log'
import { mask } from '#kernel/mask'
import type { ServerAddress } from './server-address.ts'

/** Where a database is: our embedded server, or the address an operator gave. */
export type Target =
  | { kind: 'embedded'; address: ServerAddress; database: string }
  | { kind: 'external'; url: Secret; directUrl?: Secret | undefined }

const shared = {
  application_name: 'signalbox',
  connectionTimeoutMillis: 5_000,
  // Finds a dead connection that waits for nothing, such as an idle one.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/** For queries and transactions. A pooler such as PgBouncer may be in between. */
export function clientConfig(target: Target): pg.ClientConfig {
  if (target.kind === 'embedded') return { ...shared, ...target.address, database: target.database }
  return { ...shared, connectionString: withLibpqMeaning(target.url.reveal()) }
}

/** For what needs a session of its own: notifications, locks by name, migrations, SET ROLE. */
export function sessionTarget(target: Target): Target {
  if (target.kind === 'embedded' || !target.directUrl) return target
  return { kind: 'external', url: target.directUrl }
}

/** Gives `sslmode=require` and similar the same meaning as in psql; the driver's own differs. */
function withLibpqMeaning(url: string): string {
  const parsed = new URL(url)
  if (parsed.searchParams.has('sslmode') && !parsed.searchParams.has('uselibpqcompat')) {
    parsed.searchParams.set('uselibpqcompat', 'true')
  }
  return parsed.href
}

/** Waits for the database at start, then checks its version. */
export async function awaitDatabase(target: Target, waitMs = 30_000, stop?: AbortSignal): Promise<void> {
  const deadline = Date.now() + waitMs
  for (;;) {
    const failure = (await tryOnce(target)) ?? (await tryDirect(target))
    stop?.throwIfAborted()
    if (failure === undefined) return
    if (!isPassing(failure) || Date.now() + 500 > deadline) {
      throw new StartFault(
        `${target.kind === 'external' && target.directUrl ? 'DATABASE_URL or DATABASE_DIRECT_URL' : 'DATABASE_URL'}: cannot connect to the database (${mask(messageOf(failure))}). Check that it is running, and its address, user and password.`,
        { cause: failure },
      )
    }
    await sleep(500)
  }
}

/** Undefined too where there is no other address. */
async function tryDirect(target: Target): Promise<unknown> {
  const direct = sessionTarget(target)
  return direct === target ? undefined : tryOnce(direct)
}

async function tryOnce(target: Target): Promise<unknown> {
  const client = new pg.Client(clientConfig(target))
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    checkVersion(Number(rows[0]?.version))
    return undefined
  } catch (error) {
    if (error instanceof StartFault) throw error
    return error
  } finally {
    await client.end().catch(() => undefined)
  }
}

function checkVersion(version: number): void {
  if (version >= 150_000) return
  throw new StartFault(
    `DATABASE_URL: this is PostgreSQL ${Math.floor(version / 10_000)}; Signalbox needs 15 or newer. Upgrade it, or unset DATABASE_URL for the embedded one.`,
  )
}

/** A server that is starting, restarting or not yet reachable; a wrong password or name is final. */
function isPassing(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return ![
    '28P01',
    '28000',
    '3D000',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ].includes(code)
}
