import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate, openDatabase, startEmbedded, type EmbeddedServer, type Target } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { createJobs } from '#kernel/jobs'
import { createLog, type Log } from '#kernel/log'
import { openRunFolder } from './run-folder.ts'
import { keepSeed, quickSettings, useSeed } from './seed.ts'

/** One PostgreSQL a run, with a migrated template that each test file clones. It trades durability for speed. */
export async function startTestServer(folder: string): Promise<{ stop(): Promise<void> }> {
  const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
  const dataDir = join(folder, 'server')
  const settings = { ...quickSettings, synchronous_commit: 'off', max_connections: '400' }
  const start = (): Promise<EmbeddedServer> => startEmbedded({ dataDir, log, settings })
  if (!useSeed(dataDir)) {
    const first = await start()
    const target: Target = { kind: 'embedded', address: first.address, database: 'status' }
    await migrate(target)
    await makeJobTables(target, log)
    await useCheapPassword(first)
    await first.stop()
    keepSeed(dataDir)
  }

  const server = await start()
  const client = new pg.Client({ ...server.address, database: 'postgres' })
  await client.connect()
  await client.query('alter database status rename to template_signalbox')
  await client.query('create database status')
  await client.end()
  process.env['SIGNALBOX_TEST_SERVER'] = JSON.stringify(server.address)
  return server
}

/** Every connection of every test would stretch the password again. */
async function useCheapPassword({ address }: EmbeddedServer): Promise<void> {
  const client = new pg.Client({ ...address, database: 'postgres' })
  await client.connect()
  await client.query('set scram_iterations = 1')
  await client.query(`alter role signalbox password ${client.escapeLiteral(address.password)}`)
  await client.end()
}

/** A folder for a run, with a server in it: for commands that run tests on their own. */
export async function startTestRun(): Promise<{ stop(): Promise<void> }> {
  const run = await openRunFolder()
  const server = await startTestServer(run.folder)
  return {
    async stop() {
      await server.stop()
      await run.remove()
    },
  }
}

/** Every server would make the tables of the job queue on its first start, and a queue for each job. */
async function makeJobTables(target: Target, log: Log): Promise<void> {
  const database = openDatabase(target, log)
  const jobs = createJobs(database, log, createEvents(log))
  for (const { name, cron } of definedJobs())
    jobs.define(name, async () => undefined, { ...(cron && { cron }) })
  await jobs.start()
  await jobs.stop()
  await database.close()
}

/** As they are written in the product. One that is missed here is made by the server. */
function definedJobs(): { name: string; cron: string | undefined }[] {
  const source = join(import.meta.dirname, '../../src')
  const texts = globSync('*/**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] }).map((file) =>
    readFileSync(join(source, file), 'utf8'),
  )
  const definitions = texts.flatMap((text) => text.split(/\bjobs\.define\(/).slice(1))
  return definitions.flatMap((definition) => {
    const name = /^\s*'([^']+)'/.exec(definition)?.[1]
    return name === undefined ? [] : [{ name, cron: /\bcron: '([^']+)'/.exec(definition)?.[1] }]
  })
}
