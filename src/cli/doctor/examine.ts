import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { listAgentModels } from '#agents'
import { modelsThatEnd } from '#gateway'
import { loadConfig, type Config } from '#kernel/config'
import { findServerUrl, masterKey, prepareDataDir } from '#kernel/datadir'
import {
  borrowDatabase,
  clockAheadMs,
  describeClock,
  detectPooling,
  maxClockDifferenceMs,
  migrationState,
  openDatabase,
  type Database,
  type Target,
} from '#kernel/db'
import { messageOf } from '#kernel/errors'
import { createLog } from '#kernel/log'
import { inspectJournal } from '#usage'
import { checkKeyStore, sealingKeyId } from '#vault'

export interface Finding {
  check: string
  ok: boolean
  /** Works, and will not for long. */
  isWarning?: boolean
  detail: string
}

/** A finding that is no failure yet. */
class Warning extends Error {}

/** Everything that `signalbox doctor` checks. */
export async function examine(): Promise<Finding[]> {
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
  if (!existsSync(given.DATA_DIR)) return findings
  findings.push(await check('disk', () => checkDisk(given)))
  // The database says whether a master key is needed.
  const { sealedBy, findings: ofDatabase } = await examineDatabase(given)
  findings.push(await check('master key', () => checkMasterKey(given, sealedBy)))
  findings.push(await check('journal', () => checkJournal(given)))
  findings.push(await check('dashboard', checkDashboard))
  findings.push(...ofDatabase)
  findings.push(await check('port', () => checkPort(given)))
  return findings
}

async function check(name: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check: name, ok: true, detail: await look() }
  } catch (error) {
    const isWarning = error instanceof Warning
    return { check: name, ok: isWarning, ...(isWarning && { isWarning }), detail: messageOf(error) }
  }
}

function checkNode(): string {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 24)
    throw new Error(
      `Node ${process.version} is too old. Start it by npm (npm start, npx signalbox), which brings Node 24.`,
    )
  return process.version
}

function checkDataDir(config: Config): string {
  prepareDataDir(config.DATA_DIR)
  const mode = statSync(config.DATA_DIR).mode & 0o777
  // It holds keys, the owner token and the journal: others could replace the files in it, or see their names.
  if (process.platform !== 'win32' && (mode & 0o027) !== 0)
    throw new Error(
      `${config.DATA_DIR} is open to other users (mode ${mode.toString(8)}). Run: chmod 700 ${config.DATA_DIR}`,
    )
  return `${config.DATA_DIR} can be written, and only by this user`
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

/** `sealedBy` is the key that the stored secrets need; null where none is stored or nobody knows. */
function checkMasterKey(config: Config, sealedBy: string | null): string {
  if (config.MASTER_KEY) return 'from MASTER_KEY'
  const path = join(config.DATA_DIR, 'master.key')
  if (!existsSync(path) && sealedBy !== null)
    throw new Error(
      `There is none, but what is stored was sealed by the master key ${sealedBy}. Set MASTER_KEY, or put the original file back as ${path}.`,
    )
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

/** These checks need the database, which takes a second to start. */
async function examineDatabase(config: Config): Promise<{ findings: Finding[]; sealedBy: string | null }> {
  const log = await createLog({ level: 'silent', form: 'json' })
  let borrowed: Awaited<ReturnType<typeof borrowDatabase>> | undefined
  const findings = [
    await check('database', async () => {
      borrowed = await borrowDatabase(config, log)
      return checkDatabase(borrowed.target, config)
    }),
  ]
  if (!borrowed) return { findings, sealedBy: null }
  const database = openDatabase(borrowed.target, log)
  try {
    const { target } = borrowed
    const { applied, pending } = await migrationState(target)
    const isMigrated = applied.length > 0
    findings.push(await check('clock', () => checkClock(database)))
    if (!findings[0]?.ok) return { findings, sealedBy: null }
    findings.push(await check('key store', () => checkSealed(database, config, isMigrated)))
    if (isMigrated && pending.length === 0)
      findings.push(await check('models', () => checkModels(database, config)))
    return { findings, sealedBy: isMigrated ? ((await sealingKeyId(database)) ?? null) : null }
  } finally {
    await database.close()
    await borrowed.stop()
  }
}

async function checkClock({ pool }: Database): Promise<string> {
  const aheadMs = await clockAheadMs(pool)
  if (Math.abs(aheadMs) > maxClockDifferenceMs) throw new Error(`${describeClock(aheadMs)}.`)
  return "as the database's"
}

async function checkDatabase(target: Target, config: Config): Promise<string> {
  const { applied, pending, unknown, breaking } = await migrationState(target)
  if (breaking.length > 0)
    throw new Error(`It was written by a newer Signalbox (${breaking.at(-1)}). Start that version.`)
  const newer = unknown.length > 0 ? `, written by a newer Signalbox (${unknown.at(-1)})` : ''
  const kind = config.DATABASE_URL ? `external, ${ways[await detectPooling(target)]}` : 'embedded'
  return `${kind}, ${applied.length} migrations run${pending.length > 0 ? `, ${pending.length} will run at the next start` : ''}${newer}`
}

const ways = {
  none: 'connected directly',
  session: 'behind a pooler in session mode',
  transaction:
    'behind a pooler in transaction mode (notifications, locks and migrations use DATABASE_DIRECT_URL)',
}

/** The master key may be valid and still not be the one that sealed what is stored. */
async function checkSealed(database: Database, config: Config, isMigrated: boolean): Promise<string> {
  if (!isMigrated) return 'nothing is stored yet'
  const { sealed } = await checkKeyStore(database, config)
  return `${sealed} stored provider keys and secrets can be opened with the master key`
}

const soonMs = 60 * 86_400_000

/** Models that are set somewhere and that their provider ends. */
async function checkModels(database: Database, config: Config): Promise<string> {
  const ending = await modelsThatEnd(config, database, await listAgentModels(database))
  const soon = ending.filter(({ date }) => Date.parse(date) - Date.now() < soonMs)
  if (soon.length === 0) return 'none of the models in use is about to be retired'
  const hasEnded = soon.some(({ date }) => Date.parse(date) <= Date.now())
  const names = soon.map(({ model, date }) => `${model} (retired on ${date})`).join(', ')
  const message = `Choose other models for agents and stand-ups: ${names}`
  throw hasEnded ? new Error(message) : new Warning(message)
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
