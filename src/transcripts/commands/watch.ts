import { readFileSync } from 'node:fs'
import { UsageError, type Command, type CommandArguments } from '#kernel/command'
import { isLoopback, loadConfig, type Config } from '#kernel/config'
import { messageOf, StartFault } from '#kernel/errors'
import { createLog, Secret } from '#kernel/log'
import { version } from '#kernel/version'
import { createHttpSink, createWatcher, machineName, readSegment, watchedEntries } from '../watcher/index.ts'
import type { Watcher } from '../watcher/index.ts'

export const command: Command = {
  summary: 'Send the sessions of coding assistants on this machine to a Signalbox server',
  usage: [
    '--to URL [--key-file FILE] [--machine NAME] [--once] [FOLDER…]',
    '(the API key comes from SIGNALBOX_API_KEY or --key-file; it needs the scope "events")',
    "(FOLDER: a home folder or one assistant's folder; default: TRANSCRIPTS_DIR, or your home folder)",
    '(--once: send what is there, then exit)',
  ],
  options: {
    to: { type: 'string' },
    'key-file': { type: 'string' },
    machine: { type: 'string' },
    once: { type: 'boolean' },
  },
  async run({ words, flags, print }) {
    const config = loadConfig()
    const url = addressOf(flags['to'])
    const key = keyOf(flags['key-file'], config)
    const stopped = untilSignalled()
    const log = await createLog({ level: 'warn', form: 'json', destination: process.stderr })
    const progress = progressOf(print)
    const watcher = createWatcher({
      entries: words.length > 0 ? watchedEntries({ TRANSCRIPTS_DIR: words }) : watchedEntries(config),
      namesEmpty: words.length > 0 || config.TRANSCRIPTS_DIR !== undefined,
      machine: typeof flags['machine'] === 'string' ? flags['machine'] : machineName(config),
      version,
      sink: createHttpSink({ url, key, version, signal: stopped }),
      read: readSegment,
      isRedacted: config.TRANSCRIPTS_REDACT !== 'off',
      onProgress: () => progress.step(watcher),
      log,
    })
    return watch(watcher, progress, flags['once'] === true, stopped)
  },
}

async function watch(
  watcher: Watcher,
  progress: Progress,
  isOnce: boolean,
  stopped: AbortSignal,
): Promise<number> {
  try {
    await watcher.start()
    const refusal = await firstOf(watcher.idle(), stopped)
    if (refusal !== undefined) throw new StartFault(refusal.message)
    if (stopped.aborted) return 0
    progress.done(watcher)
    if (isOnce) return watcher.status().failing === 0 ? 0 : 1
    const later = await firstOf(watcher.refused, stopped)
    if (later !== undefined) throw new StartFault(later.message)
    return 0
  } finally {
    await watcher.stop()
  }
}

function firstOf<T>(work: Promise<T>, stopped: AbortSignal): Promise<T | undefined> {
  const stop = new Promise<undefined>((resolve) => {
    if (stopped.aborted) resolve(undefined)
    else stopped.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return Promise.race([work, stop])
}

function addressOf(given: string | boolean | undefined): string {
  if (typeof given !== 'string') throw new UsageError('Give the address of the server: --to https://…')
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError('--to must be an http or https address without user and password.')
  // The key and whole conversations would be readable on the way.
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new UsageError('--to must be an https address, unless the server is on this machine.')
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
}

function keyOf(file: string | boolean | undefined, config: Config): Secret {
  if (typeof file !== 'string') {
    if (config.SIGNALBOX_API_KEY === undefined)
      throw new UsageError('Set SIGNALBOX_API_KEY, or name a file that holds the API key: --key-file FILE.')
    return config.SIGNALBOX_API_KEY
  }
  try {
    const key = readFileSync(file, 'utf8').trim()
    if (key !== '') return new Secret(key)
  } catch (error) {
    throw new StartFault(`The key file ${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
  throw new StartFault(`The key file ${file} is empty.`)
}

/** Ctrl-C ends the watcher in order: the command line would end the process at once. */
function untilSignalled(): AbortSignal {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.once(signal, () => stopped.abort())
  }
  return stopped.signal
}

interface Progress {
  step(watcher: Watcher): void
  done(watcher: Watcher): void
}

const progressMs = 5_000

function progressOf(print: CommandArguments['print']): Progress {
  let printedAt = Date.now()
  let problem: string | null = null
  const facts = (watcher: Watcher) => {
    const { machine, roots, skipped, problem: current } = watcher.status()
    const files = roots.reduce((sum, root) => sum + root.files, 0)
    const behind = roots.reduce((sum, root) => sum + root.behindBytes, 0)
    return { machine, files, behind_bytes: behind, skipped: skipped.length, problem: current }
  }
  return {
    step(watcher) {
      if (Date.now() - printedAt < progressMs) return
      printedAt = Date.now()
      const now = facts(watcher)
      if (now.problem === null && problem === null && now.behind_bytes === 0) return
      problem = now.problem
      print(problem ?? `${megabytes(now.behind_bytes)} left to send from ${now.files} files`, now)
    },
    done(watcher) {
      const now = facts(watcher)
      const skipped = now.skipped === 0 ? '' : `; ${now.skipped} files had lines that were skipped`
      print(`${now.files} files are up to date${skipped}`, now)
    },
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
