import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after } from 'node:test'
import type { FirstStart } from '#access'
import { loadConfig, type Config } from '#kernel/config'
import type { Target } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createSignalbox } from '../../src/main.ts'
import './check-responses.ts'
import { createTestDatabase } from './database.ts'
import { endServersIn, endUsersOf } from './run-folder.ts'
import { giveEveryScope, ownerTokenOf, rememberOwner } from './owner.ts'

export interface Product {
  url: string
  config: Config
  target: Target
  first: FirstStart
  /** The first API key, given every scope. */
  key: string
  /** Every line the product has logged. */
  logged: () => string
  /** A request as the local owner, or with `key` as a client. */
  call(path: string, options?: CallOptions): Promise<Answer>
  stop(): Promise<void>
}

export interface CallOptions {
  method?: string
  key?: string
  json?: unknown
  body?: string | Uint8Array
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // Tests read answers freely; a wrong guess fails the assertion beside it.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export const testMasterKey = Buffer.alloc(32, 'master').toString('base64')

/** The whole product in this process, on a free port, a temporary DATA_DIR and a database of its own. */
export async function startProduct(
  environment: Record<string, string> = {},
  given?: Target,
): Promise<Product> {
  const dataDir = temporaryFolder()
  const config = loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DRAIN_DELAY_MS: '0',
    // Products on one database are replicas, which share it.
    MASTER_KEY: testMasterKey,
    DATA_DIR: dataDir,
    // Not the sessions of who runs the tests.
    TRANSCRIPTS_DIR: join(dataDir, 'no-sessions'),
    // No calls of the server's own between those of the tests.
    MODEL_SYNC_HOURS: '0',
    ...environment,
  })
  let stop = async (): Promise<void> => undefined
  // Registered before the database's own clean-up: hooks run in order, and it must not go first.
  after(() => stop())
  const target = given ?? (await createTestDatabase())
  let logged = ''
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString()
      done()
    },
  })
  const log = await createLog({ level: 'debug', form: 'json', destination })
  const box = await createSignalbox(config, log, target)
  const first = await box.firstStart()
  await giveEveryScope(target, first)
  const url = await box.start()
  rememberOwner(url, first)
  let stopped = false
  stop = async () => {
    if (stopped) return
    stopped = true
    await box.stop()
  }
  return {
    url,
    config,
    target,
    first,
    key: first.firstKey?.reveal() ?? '',
    logged: () => logged,
    call: (path, options) => call(url, path, options),
    stop,
  }
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'))
  after(async () => {
    await endUsersOf(folder)
    await endServersIn(folder)
    // A process that was killed may still be writing to it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  return folder
}

/** As the local owner of a server of this test file, unless a key is given. */
export async function call(url: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const headers: Record<string, string> = { ...options.headers }
  if (options.key) headers['authorization'] = `Bearer ${options.key}`
  const token = options.key ? undefined : ownerTokenOf(url)
  if (token !== undefined) headers['x-owner-token'] ??= token
  if (options.json !== undefined) headers['content-type'] ??= 'application/json'
  const body = options.json === undefined ? options.body : JSON.stringify(options.json)
  const response = await fetch(`${url}${path}`, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(90_000),
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
