import cluster from 'node:cluster'
import type { FirstStart } from '#access'
import { write, type Command } from '#kernel/command'
import { loadConfig, type Config } from '#kernel/config'
import { noteServerUrl } from '#kernel/datadir'
import { joinDatabase, migrate, provideDatabase, type Target } from '#kernel/db'
import { checkAddress } from '#kernel/http'
import { createLog, type Log, type Secret } from '#kernel/log'
import { version } from '#kernel/version'
import { createSignalbox, type Signalbox } from '#main'
import type { Demo } from '../demo/start-demo.ts'
import { releaseHeap } from '../heap.ts'
import { ownerLink } from '../owner-link.ts'
import { listenForStop, unlessStopped, untilStopped } from '../signals.ts'
import { runWorkers } from '../workers.ts'

export const command: Command = {
  summary: 'Start Signalbox (what npm start does)',
  usage: [
    '[--demo]',
    '(everything else is set by environment variables: see signalbox config)',
    '(--demo fills a group "Demo" with a web shop that does not exist; it implies UPSTREAM_PRIVATE=1)',
  ],
  options: { demo: { type: 'boolean' } },
  async run({ flags }) {
    const loaded = loadConfig()
    const isDemo = flags['demo'] === true
    // Its provider and its services are on this machine.
    const config = isDemo ? { ...loaded, UPSTREAM_PRIVATE: true } : loaded
    const log = await openLog(config)
    return cluster.isWorker ? serveAsWorker(config, log) : serve(config, log, isDemo)
  },
}

async function serve(config: Config, log: Log, isDemo: boolean): Promise<number> {
  const stop = listenForStop(log)
  warnAboutCookies(config, log)
  try {
    const provided = await provideDatabase(config, log, stop)
    try {
      await serveWith(provided.target, { config, log, stop, isDemo })
    } finally {
      await provided.stop()
    }
  } catch (error) {
    if (error !== stop.reason) throw error
    // What the interrupted start still waits for would keep the process alive.
    setImmediate(() => process.exit(0))
  }
  log.info('stopped')
  return 0
}

interface Serving {
  config: Config
  log: Log
  stop: AbortSignal
  isDemo: boolean
}

async function serveWith(target: Target, { config, log, stop, isDemo }: Serving): Promise<void> {
  // Before the first key is made: it is shown once.
  await checkAddress(config)
  const applied = await unlessStopped(stop, migrate(target))
  if (applied.length > 0)
    log.info({ migrations: applied.length, last: applied.at(-1) }, 'the database is up to date')
  const server = await createSignalbox(config, log, target)
  // Loaded only for a demo: what is loaded stays in memory.
  const demos = isDemo ? await import('../demo/demo-beside.ts') : undefined
  let demo: Demo | undefined
  try {
    demo = await demos?.openDemo(config, target)
    const first = await server.firstStart()
    const begun = await begin(server, config, log, stop).catch((error: unknown) => {
      // The key exists and is kept nowhere: it must not be lost with a start that fails.
      if (first.firstKey) write(keyLine(first.firstKey))
      throw error
    })
    releaseHeap()
    const forgetUrl = noteServerUrl(config.DATA_DIR, reachable(begun.url))
    try {
      announce(config.PUBLIC_URL ?? reachable(begun.url), first)
      if (demo)
        await demos?.fillBeside(demo, { url: reachable(begun.url), ownerToken: first.localOwnerToken }, stop)
      await untilStopped(stop)
    } finally {
      forgetUrl()
    }
    await begun.workers?.stop()
  } finally {
    await server.stop()
    await demo?.stop()
  }
}

async function serveAsWorker(config: Config, log: Log): Promise<number> {
  const stop = listenForStop(log)
  const server = await createSignalbox(config, log, joinDatabase(config))
  const url = await unlessStopped(stop, server.start()).catch((error: unknown) => {
    if (stop.aborted) process.exit(0)
    // Open handles would keep this process alive and the primary process waiting. The error is printed first.
    setImmediate(() => process.exit(1))
    throw error
  })
  releaseHeap()
  process.send?.({ signalbox: 'ready', url })
  await untilStopped(stop)
  await server.stop()
  // The channel to the primary process would keep this one alive.
  process.exit(0)
}

async function begin(server: Signalbox, config: Config, log: Log, stop: AbortSignal) {
  stop.throwIfAborted()
  const workers = config.WORKERS > 1 ? await runWorkers(config, log, stop) : undefined
  return { workers, url: workers?.url ?? (await server.start()) }
}

const keyLine = (key: Secret): string => `  API key (shown only now): ${key.reveal()}`

/** One block at the end, straight to the terminal and not to the log: what it shows is kept nowhere. */
function announce(url: string, { firstKey, ownerToken, localOwnerToken }: FirstStart): void {
  const lines = [`\n  Signalbox ${version} is ready at ${url}`]
  if (firstKey) lines.push(keyLine(firstKey))
  if (localOwnerToken) lines.push(`  Open the dashboard with this link: ${ownerLink(url, localOwnerToken)}`)
  if (ownerToken)
    lines.push(`  Become the owner with this one-time link: ${url}/join?token=${ownerToken.reveal()}`)
  if (firstKey) lines.push('  Next: open the link and add a provider key; the page shows the first call.')
  write(`${lines.join('\n')}\n`)
}

/** `0.0.0.0` and `::` are where a server listens, and nowhere that a browser can go. */
function reachable(listening: string): string {
  return listening.replace(/^http:\/\/(0\.0\.0\.0|\[::\]):/, 'http://localhost:')
}

function warnAboutCookies(config: Config, log: Log): void {
  if (config.localOwner || config.PUBLIC_URL?.startsWith('https:')) return
  log.warn(
    'Browsers keep the session cookie only over https or on loopback. Put a TLS proxy in front and set PUBLIC_URL.',
  )
}

function openLog(config: Config): Promise<Log> {
  const form = config.LOG_FORMAT === 'auto' ? (process.stdout.isTTY ? 'pretty' : 'json') : config.LOG_FORMAT
  return createLog({ level: config.LOG_LEVEL, form })
}
