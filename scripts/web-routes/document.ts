import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '#kernel/config'
import { migrate, provideDatabase } from '#kernel/db'
import type { ApiDocument } from '#kernel/http'
import { createLog } from '#kernel/log'
import { createSignalbox } from '#main'

/** The API document of a server that is started for it, with a database and a folder of its own. */
export async function readApiDocument(): Promise<ApiDocument> {
  await using running = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-routes-'))
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DRAIN_DELAY_MS: '0',
    DATA_DIR: folder,
    TRANSCRIPTS_DIR: join(folder, 'no-sessions'),
    MODEL_SYNC_HOURS: '0',
  })
  const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
  const database = await provideDatabase(config, log, AbortSignal.timeout(120_000))
  running.defer(() => database.stop())
  await migrate(database.target)
  const server = await createSignalbox(config, log, database.target)
  running.defer(() => server.stop())
  const { localOwnerToken } = await server.firstStart()
  const url = await server.start()
  const response = await fetch(`${url}/openapi.json`, {
    headers: { 'x-owner-token': localOwnerToken?.reveal() ?? '' },
  })
  if (!response.ok) throw new Error(`The API document was refused: ${response.status}`)
  return (await response.json()) as ApiDocument
}
