import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { scopes } from '#kernel/auth'
import { loadConfig } from '#kernel/config'
import { createHttp } from '#kernel/http'
import { createLog, Secret } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import type { Vault } from '#vault'
import { waitFor } from '#test/wait'
import type { Meter, OpenEntry, Outcome } from '../../request/meter.ts'
import { createRegistry } from '../../catalog/registry.ts'
import { createUpstream } from '../../transport/upstream.ts'
import { transcriptionRoutes } from './index.ts'

// The fake provider has no door of its own yet; every test of this folder comes by here.
export { startFakeProvider, type Reply } from '#fake-provider'

const groupId = '0190b3a0-0000-7000-8000-000000000001'

export interface Record {
  entry: OpenEntry
  outcomes: Outcome[]
}

/** The route, alone in a server of its own; everything around it is real but the key store and the meter. */
export async function startGateway(
  environment: { [name: string]: string },
  { timeoutMs = 10_000, prefixes = ['team/'], customUrl = '', maxSpoolBytes = 1e9 } = {},
) {
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'signalbox-transcription-'))
  const config = loadConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: temporaryFolder, ...environment })
  const lines: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const app = await createHttp({
    config,
    log: await createLog({ level: 'info', form: 'json', destination }),
    metrics: createMetrics(),
    version: '0',
    resolvers: {
      apiKey: () => ({
        via: 'api_key',
        user: null,
        groups: [{ id: groupId, name: 'Default', role: 'owner' }],
        key: { id: 'key', name: 'test', scopes: new Set(scopes), providerKeyOverrides: {} },
      }),
      keyForAccessToken: async () => undefined,
      session: async () => null,
      isOwnerToken: () => false,
      localOwner: async () => ({ via: 'local', user: null, groups: [] }),
    },
  })
  const registry = createRegistry(config)
  const upstream = createUpstream(timeoutMs)
  registry.setCustom([customRow(prefixes, customUrl)])
  const records: Record[] = []
  const notes: (string | null)[] = []
  transcriptionRoutes(app, {
    registry,
    upstream,
    temporaryFolder,
    maxSpoolBytes,
    meter: recordingMeter(records),
    vault: {
      choose: () => ({ id: 'provider-key', key: new Secret('sk-test-0123456789') }),
      noteOutcome: (_id: string, error: string | null) => void notes.push(error),
    } as unknown as Vault,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    records,
    notes,
    temporaryFolder,
    logged: () => lines.join(''),
    leftFiles: () => readdirSync(temporaryFolder),
    /** The one record of the only request, once it is settled. */
    async settled(count = 1): Promise<{ entry: OpenEntry; outcome: Outcome }> {
      await waitFor('the record', () => (records[count - 1]?.outcomes.length ?? 0) > 0)
      const record = records[count - 1]
      const [outcome, ...more] = record?.outcomes ?? []
      if (!record || !outcome || more.length > 0 || records.length > count)
        throw new Error(`not opened and settled exactly once: ${JSON.stringify(records)}`)
      return { entry: record.entry, outcome }
    },
    async stop() {
      app.server.closeAllConnections()
      await app.close()
      await upstream.close()
      rmSync(temporaryFolder, { recursive: true, force: true })
    },
  }
}

function recordingMeter(records: Record[]): Meter {
  return {
    accepts: () => true,
    async open(entry) {
      const record: Record = { entry: { ...entry }, outcomes: [] }
      records.push(record)
      return { settle: (outcome) => void record.outcomes.push({ ...outcome }) }
    },
  }
}

function customRow(prefixes: string[], baseUrl: string) {
  return {
    id: 'team',
    group_id: groupId,
    name: 'Team',
    base_url: baseUrl,
    docs_url: '',
    prefixes,
    is_active: true,
    allow_private: true,
  } as Parameters<ReturnType<typeof createRegistry>['setCustom']>[0][number]
}

export type Part = [name: string, value: string] | [name: string, content: Buffer, filename: string]

/** A form as a client would write it. */
export function writeForm(parts: Part[], boundary = `----test${randomBytes(8).toString('hex')}`) {
  const pieces = parts.flatMap(([name, content, filename]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined
      ? '\r\n\r\n'
      : `; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    content,
    '\r\n',
  ])
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
  return { boundary, body, contentType: `multipart/form-data; boundary=${boundary}` }
}
