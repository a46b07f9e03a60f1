import { join } from 'node:path'
import pg from 'pg'
import { migrate, startEmbedded } from '#kernel/db'
import { createLog } from '#kernel/log'
import { openRunFolder } from './run-folder.ts'

/** One PostgreSQL a run, with a migrated template that each test file clones. It trades durability for speed. */
export async function startTestServer(): Promise<{ stop(): Promise<void> }> {
  const run = await openRunFolder()
  const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
  const server = await startEmbedded({
    dataDir: join(run.folder, 'server'),
    log,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
  })
  const client = new pg.Client({ ...server.address, database: 'postgres' })
  await client.connect()
  await client.query('create database template_signalbox')
  await client.end()
  await migrate({ kind: 'embedded', address: server.address, database: 'template_signalbox' })
  process.env['SIGNALBOX_TEST_SERVER'] = JSON.stringify(server.address)
  return {
    async stop() {
      await server.stop()
      await run.remove()
    },
  }
}
