import { join } from 'node:path'
import type { LoadJob } from './load-job.ts'
import { residentMegabytes, serveFrom, start } from './processes.ts'
import { chatBody, providerBody, type Scenario } from './scenarios.ts'
import type { FakeUpstream } from './upstream.ts'
import { freePort } from '#test/free-port'

export type TargetName = 'bare' | 'leanest' | 'signalbox' | 'watched' | 'limited' | 'before' | 'portkey'

/** One of those that are compared. */
export interface Target {
  name: TargetName
  pid: number
  /** Resident memory before the first request, in megabytes. */
  idle: number | undefined
  /** The part of a scenario's requests that it gets: a small one is enough where each takes long. */
  share: number
  job(scenario: Scenario): Pick<LoadJob, 'origin' | 'path' | 'headers' | 'body'>
  /** Headers of a request of its owner, where it has one. */
  asOwner?: Record<string, string>
  stop(): Promise<void>
}

const json = { 'content-type': 'application/json' }
const providerKey = 'sk-bench-0123456789abcdef'
const settleMs = 2_000

/** The proxies that only forward bytes. */
export async function startProxy(name: 'bare' | 'leanest', upstream: FakeUpstream): Promise<Target> {
  const script = join(import.meta.dirname, `${name}-proxy.ts`)
  const { pid, output, stop } = await start({ args: [script, upstream.url], ready: /ready at .*\n/ })
  const paths = { openai: '/chat/completions', anthropic: '/v1/messages' }
  return {
    name,
    pid,
    idle: await idleMemory(pid),
    share: 1,
    job: (scenario) => ({
      origin: addressIn(output),
      path: new URL(baseUrlOf(upstream, scenario) + paths[scenario.wire]).pathname,
      headers: { ...json, authorization: `Bearer ${providerKey}` },
      body: providerBody(scenario),
    }),
    stop,
  }
}

interface SignalboxOptions {
  name?: 'signalbox' | 'watched' | 'before'
  /** The checkout whose server is started; by default this one. */
  checkout?: string
  /** Go before the script: a profiler, for example. */
  nodeOptions?: string[]
  environment?: Record<string, string>
}

export async function startSignalbox(
  upstream: FakeUpstream,
  folder: string,
  { name = 'signalbox', checkout, nodeOptions = [], environment = {} }: SignalboxOptions = {},
): Promise<Target> {
  const { pid, output, stop } = await start({
    args: [...nodeOptions, ...serveFrom(checkout)],
    folder,
    environment: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      ...upstream.baseUrls,
      ...environment,
    },
    ready: /is ready at .*\n/,
  })
  const origin = addressIn(output)
  const key = /sb-[A-Za-z0-9_-]{20,}/.exec(output)?.[0] ?? ''
  const headers = { ...json, authorization: `Bearer ${key}` }
  // A checkout from before the owner token takes the first key for everything.
  const token = /\/\?token=(\S+)/.exec(output)?.[1]
  const admin = token === undefined ? headers : { 'x-owner-token': token }
  // As it was started: the first provider key loads the embedding model for a minute, to index the lists of models.
  const idle = await idleMemory(pid)
  await addProviderKeys(origin, admin)
  if (name === 'watched') await openConsole(origin, admin)
  return {
    name,
    pid,
    idle,
    share: 1,
    job: (scenario) => ({ origin, path: '/v1/chat/completions', headers, body: chatBody(scenario) }),
    asOwner: { ...json, ...admin },
    stop,
  }
}

export async function addProviderKeys(origin: string, admin: Record<string, string>): Promise<void> {
  for (const provider of ['openai', 'anthropic']) {
    const response = await fetch(`${origin}/providers/${provider}`, {
      method: 'POST',
      headers: { ...json, ...admin, accept: 'application/json' },
      body: JSON.stringify({ api_key: providerKey, name: 'bench' }),
      signal: AbortSignal.timeout(10_000),
    })
    if (response.status !== 201) throw new Error(`Signalbox did not accept a key: ${await response.text()}`)
  }
}

/** Reads the live stream of events as the console page does, until the server stops. */
async function openConsole(origin: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(`${origin}/api/console/stream`, { headers })
  if (response.status !== 200 || !response.body)
    throw new Error(`The console did not open: ${await response.text()}`)
  void response.body.pipeTo(new WritableStream()).catch(() => undefined)
}

/** `script` is where the package was installed; see portkey.ts. */
export async function startPortkey(upstream: FakeUpstream, script: string): Promise<Target> {
  const port = await freePort()
  const loopbackOnly = join(import.meta.dirname, 'loopback-only.ts')
  const { pid, stop } = await start({
    args: ['--import', loopbackOnly, script, `--port=${port}`, '--headless'],
    environment: { NODE_ENV: 'production' },
    ready: /running at|ready/i,
  })
  const versions = { openai: '', anthropic: '/v1' }
  return {
    name: 'portkey',
    pid,
    idle: await idleMemory(pid),
    share: 0.12,
    job: (scenario) => ({
      origin: `http://127.0.0.1:${port}`,
      path: '/v1/chat/completions',
      headers: {
        ...json,
        authorization: `Bearer ${providerKey}`,
        'x-portkey-provider': scenario.wire,
        'x-portkey-custom-host': baseUrlOf(upstream, scenario) + versions[scenario.wire],
      },
      body: chatBody(scenario),
    }),
    stop,
  }
}

function baseUrlOf(upstream: FakeUpstream, { wire }: Scenario): string {
  return upstream.baseUrls[`${wire.toUpperCase()}_BASE_URL`] ?? ''
}

function addressIn(output: string): string {
  return /ready at (http\S+)/.exec(output)?.[1] ?? ''
}

async function idleMemory(pid: number): Promise<number | undefined> {
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  return residentMegabytes(pid)
}
