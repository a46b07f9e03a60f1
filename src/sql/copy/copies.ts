import { createHash, randomBytes } from 'node:crypto'
import { escapeIdentifier, escapeLiteral, type Client, type ClientConfig } from 'pg'
import { clientConfig, sessionTarget, tryWithLock, withLock, type Database } from '#kernel/db'
import { Fault, faults, messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { mask } from '#kernel/mask'
import { asLogin, databaseOf, loggedIn } from '../database/as-login.ts'
import { scramVerifier } from '../database/scram.ts'

/** Empty databases for trials, on Signalbox's own server. Each has a role of its own that owns it and nothing else. */
export interface Copies {
  /** Makes one, hands out how to log in to it, and drops it, whatever happens. */
  use<T>(work: (login: ClientConfig) => Promise<T>): Promise<T>
  /** Drops those that killed processes left behind. */
  sweep(): Promise<void>
}

const maxAtOnce = 2
const lockOf = (name: string): string => `sql copy ${name}`

export function createCopies({ database, log }: { database: Database; log: Log }): Copies {
  const address = clientConfig(sessionTarget(database.target))
  const asAdmin = <T>(work: (client: Client) => Promise<T>): Promise<T> => asLogin(address, work)
  let open = 0

  async function drop(name: string): Promise<void> {
    try {
      await asAdmin(async (client) => {
        await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`)
        await client.query(`drop role if exists ${escapeIdentifier(name)}`)
      })
    } catch (error) {
      log.warn({ copy: name, reason: mask(messageOf(error)) }, 'a copy of a schema could not be dropped yet')
    }
  }

  return {
    async use(work) {
      if (open >= maxAtOnce)
        throw new Fault(faults.unavailable, 'Other trials on copies run now. Try again in a moment.', {
          headers: { 'retry-after': '5' },
        })
      open++
      const name = `${prefixOf(address)}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`
      const password = randomBytes(24).toString('base64url')
      try {
        // The lock says that somebody uses it; PostgreSQL releases it when the process dies.
        return await withLock(database.sessions, lockOf(name), async () => {
          try {
            await asAdmin((client) => create(client, name, password))
            return await work(loggedIn(inDatabase(address, name), name, password))
          } finally {
            await drop(name)
          }
        })
      } finally {
        open--
      }
    },

    async sweep() {
      const names = await asAdmin(async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select datname as name from pg_database where starts_with(datname, $1)
           union select rolname from pg_roles where starts_with(rolname, $1)`,
          [prefixOf(address)],
        )
        return rows.map(({ name }) => name)
      })
      for (const name of names) await tryWithLock(database.sessions, lockOf(name), () => drop(name))
    },
  }
}

/** Locks by name belong to a database, and several installations may share a server. */
const prefixOf = (address: ClientConfig): string =>
  `signalbox_copy_${createHash('sha256').update(databaseOf(address)).digest('hex').slice(0, 8)}_`

async function create(client: Client, name: string, password: string): Promise<void> {
  const { rows } = await client.query<{ rolsuper: boolean; may: boolean }>(
    `select rolsuper, rolsuper or (rolcreatedb and rolcreaterole) as may from pg_roles where rolname = current_user`,
  )
  if (rows[0]?.may !== true)
    throw new Fault(
      faults.invalidRequest,
      'A copy needs a database of its own on the server of Signalbox, and its login may not create databases and roles there. To allow it: ALTER ROLE … CREATEDB CREATEROLE. Without it, use dry_run without trial.',
    )
  const id = escapeIdentifier(name)
  await client.query(
    `create role ${id} login nocreatedb nocreaterole noinherit connection limit 4 password ${escapeLiteral(scramVerifier(password))}`,
  )
  await client.query(`alter role ${id} set statement_timeout = '30s'`)
  await client.query(`alter role ${id} set idle_in_transaction_session_timeout = '60s'`)
  if (!rows[0].rolsuper) await client.query(`grant ${id} to current_user`)
  await client.query(`create database ${id} owner ${id} template template0 encoding 'UTF8'`)
  await client.query(`revoke connect, temporary on database ${id} from public`)
}

function inDatabase(address: ClientConfig, database: string): ClientConfig {
  if (address.connectionString === undefined) return { ...address, database }
  const url = new URL(address.connectionString)
  url.pathname = `/${encodeURIComponent(database)}`
  return { ...address, connectionString: url.href }
}
