import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { findPrograms } from '../../src/kernel/db/programs.ts'
import { giveTo, reachablePrograms, runAs } from '../../src/kernel/db/run-as.ts'
import { temporaryFolder } from './product.ts'
import { waitFor } from './wait.ts'
import { freePort } from './free-port.ts'

/** A PostgreSQL that is not ours, reached by TCP as a team's own database is. */
export interface ExternalServer {
  port: number
  version: number
  urlOf(login: string, password: string, database: string): string
  /** The address of its superuser, which the product never gets unless a test says so. */
  superuserUrl(database: string): string
  /** Asks as the superuser, or as the login of an address. */
  ask<Row extends pg.QueryResultRow>(database: string, sql: string): Promise<Row[]>
  stop(): Promise<void>
  /** On the same port again. */
  start(): Promise<void>
}

const [user, password] = ['superuser', 'pw-superuser']

/** EXTERNAL_POSTGRES names the folder of another version's programs; without it, the embedded one's are used. */
export async function startExternalServer(): Promise<ExternalServer> {
  const folder = temporaryFolder()
  // As root, the server runs as another user, who has to pass through.
  chmodSync(folder, 0o711)
  // The name by which left-over servers are found.
  const cluster = join(folder, 'postgres')
  mkdirSync(cluster, { mode: 0o700 })
  giveTo(cluster, runAs())
  await initialise(cluster)
  const port = await freePort()
  const begin = (): ChildProcess =>
    run('postgres', cluster, [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`, '-c', 'unix_socket_directories='],
      ...['-c', 'fsync=off'],
    ])
  let child = begin()
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    if (child.kill('SIGINT')) await ended
  }
  after(stop)
  const urlOf: ExternalServer['urlOf'] = (login, password, database) =>
    `postgresql://${login}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  const superuserUrl = (database: string): string => urlOf(user, password, database)
  const ask: ExternalServer['ask'] = (database, sql) =>
    askAt(database.includes('://') ? database : superuserUrl(database), sql)
  const isReady = (): Promise<unknown> =>
    waitFor('the external server', () => ask('postgres', 'select 1').catch(() => undefined))
  await isReady()
  const [row] = await ask<{ version: string }>(
    'postgres',
    `select current_setting('server_version_num') as version`,
  )
  const version = Math.floor(Number(row?.version) / 10_000)
  const start = async (): Promise<void> => {
    child = begin()
    await isReady()
  }
  return { port, version, urlOf, superuserUrl, ask, stop, start }
}

async function initialise(cluster: string): Promise<void> {
  const passwordFile = join(cluster, '../password')
  writeFileSync(passwordFile, password)
  chmodSync(passwordFile, 0o644)
  const child = run('initdb', cluster, [
    ...['-U', user, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C'],
  ])
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`initdb ended with ${code}`)
}

function run(program: 'initdb' | 'postgres', cluster: string, args: string[]): ChildProcess {
  const folder =
    process.env['EXTERNAL_POSTGRES'] ??
    join(reachablePrograms(findPrograms().folder, findPrograms().version, runAs()), 'bin')
  return spawn(join(folder, program), ['-D', cluster, ...args], {
    cwd: cluster,
    stdio: 'ignore',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    ...runAs(),
  })
}

async function askAt<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const result = (await client.query(sql)) as pg.QueryResult<Row> | pg.QueryResult<Row>[]
    return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? []
  } finally {
    await client.end().catch(() => undefined)
  }
}
