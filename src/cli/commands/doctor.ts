import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Command } from '#kernel/command'
import { loadConfig, type Config } from '#kernel/config'
import { findServerUrl, masterKey, prepareDataDir } from '#kernel/datadir'
import { borrowDatabase, migrationState, openDatabase, type Target } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import { createLog, type Log } from '#kernel/log'
import { inspectJournal } from '#usage'
import { checkKeyStore } from '#vault'

interface Finding {
  check: string
  ok: boolean
  detail: string
}

export const command: Command = {
  summary: 'Check this installation and show how to fix problems',
  usage: ['[--json]'],
  options: {},
  async run({ print }) {
    const findings = await examine()
    const lines = findings.map(
      ({ ok, check, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(14)} ${detail}`,
    )
    const failed = findings.filter((finding) => !finding.ok).length
    print(
      `${lines.join('\n')}\n\n${failed === 0 ? 'No problems found.' : `${failed} ${failed === 1 ? 'problem' : 'problems'} found.`}`,
      {
        ok: failed === 0,
        findings,
      },
    )
    return failed === 0 ? 0 : 1
  },
}

async function examine(): Promise<Finding[]> {
  const findings = [await check('node', checkNode)]
  let config: Config | undefined
  findings.push(
    await check('settings', () => {
      config = loadConfig()
      return 'all values are valid'
    }),
  )
  if (!config) return findings
  const given = config
  findings.push(await check('data folder', () => checkDataDir(given)))
  if (!findings.at(-1)?.ok) return findings
  findings.push(await check('disk', () => checkDisk(given)))
  findings.push(await check('master key', () => checkMasterKey(given)))
  findings.push(await check('journal', () => checkJournal(given)))
  findings.push(await check('dashboard', checkDashboard))
  findings.push(...(await examineDatabase(given)))
  findings.push(await check('port', () => checkPort(given)))
  return findings
}

async function check(name: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check: name, ok: true, detail: await look() }
  } catch (error) {
    return { check: name, ok: false, detail: messageOf(error) }
  }
}

function checkNode(): string {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 24)
    throw new Error(
      `Node ${process.version} is too old. Start it by npm (npm start, npm run signalbox), which brings Node 24.`,
    )
  return process.version
}

function checkDataDir(config: Config): string {
  prepareDataDir(config.DATA_DIR)
  return `${config.DATA_DIR} can be written`
}

async function checkDisk(config: Config): Promise<string> {
  const { bavail, bsize } = await statfs(config.DATA_DIR)
  const gigabytes = (bavail * bsize) / 1e9
  if (gigabytes < 1)
    throw new Error(
      `Only ${gigabytes.toFixed(1)} GB are free under ${config.DATA_DIR}. Make room, or move DATA_DIR.`,
    )
  return `${gigabytes.toFixed(0)} GB free`
}

function checkMasterKey(config: Config): string {
  if (config.MASTER_KEY) return 'from MASTER_KEY'
  const path = join(config.DATA_DIR, 'master.key')
  if (!existsSync(path)) return 'will be created at the first start'
  const isOpen = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  if (isOpen) throw new Error(`${path} can be read by others. Run: chmod 600 ${path}`)
  masterKey(config)
  return `${path} is valid and private. Keep a copy of it, separate from the backups`
}

async function checkJournal(config: Config): Promise<string> {
  const { bytes, setAsideFiles } = await inspectJournal(config.DATA_DIR)
  if (setAsideFiles.length > 0)
    throw new Error(
      `Requests that could not be copied to the usage log were saved in ${setAsideFiles.join(', ')}. The reason is in the file or in the server's log; move the file away when you have dealt with it.`,
    )
  if (bytes > config.JOURNAL_MAX_BYTES / 2)
    throw new Error(
      `The usage journal has ${(bytes / 1e6).toFixed(0)} MB, half of JOURNAL_MAX_BYTES or more. See why they do not reach the database.`,
    )
  return `${(bytes / 1e6).toFixed(1)} MB in the usage journal, no rejected or damaged rows`
}

function checkDashboard(): string {
  const index = join(import.meta.dirname, '../../../web/dist/index.html')
  if (!existsSync(index)) throw new Error('The dashboard is not built. Run: npm run build:web')
  return `built ${statSync(index).mtime.toISOString().slice(0, 10)}`
}

/** Both checks need the database, which takes a second to start. */
async function examineDatabase(config: Config): Promise<Finding[]> {
  const log = await createLog({ level: 'silent', form: 'json' })
  let borrowed: Awaited<ReturnType<typeof borrowDatabase>> | undefined
  const findings = [
    await check('database', async () => {
      borrowed = await borrowDatabase(config, log)
      return checkDatabase(borrowed.target, config)
    }),
  ]
  if (!borrowed) return findings
  try {
    const { target } = borrowed
    if (findings[0]?.ok) findings.push(await check('key store', () => checkSealed(target, config, log)))
    return findings
  } finally {
    await borrowed.stop()
  }
}

async function checkDatabase(target: Target, config: Config): Promise<string> {
  const { applied, pending, unknown } = await migrationState(target)
  if (unknown.length > 0)
    throw new Error(`It was written by a newer Signalbox (${unknown.at(-1)}). Start that version.`)
  const kind = config.DATABASE_URL ? 'external' : 'embedded'
  return `${kind}, ${applied.length} migrations run${pending.length > 0 ? `, ${pending.length} will run at the next start` : ''}`
}

/** The master key may be valid and still not be the one that sealed what is stored. */
async function checkSealed(target: Target, config: Config, log: Log): Promise<string> {
  if ((await migrationState(target)).applied.length === 0) return 'nothing is stored yet'
  const database = openDatabase(target, log)
  try {
    const { sealed } = await checkKeyStore(database, config)
    return `${sealed} stored provider keys and secrets can be opened with the master key`
  } finally {
    await database.close()
  }
}

async function checkPort(config: Config): Promise<string> {
  const running = findServerUrl(config.DATA_DIR)
  if (running !== undefined && (await isSignalbox(running)))
    return `${new URL(running).port}: Signalbox is running`
  const probe = createServer()
  try {
    probe.listen(config.PORT, config.HOST)
    await once(probe, 'listening')
    return `${config.PORT} on ${config.HOST} is free`
  } catch {
    if (await isSignalbox(`http://${config.HOST}:${config.PORT}`))
      return `${config.PORT}: Signalbox is running`
    throw new Error(
      `${config.PORT} on ${config.HOST} is in use by another program. Stop it, or set PORT to another number.`,
    )
  } finally {
    probe.close()
  }
}

async function isSignalbox(url: string): Promise<boolean> {
  const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
  return response?.ok === true && response.headers.get('x-request-id')?.startsWith('req_') === true
}
