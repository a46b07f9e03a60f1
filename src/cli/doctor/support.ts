import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandArguments } from '#kernel/command'
import { describeForSupport, loadConfig, type Config } from '#kernel/config'
import { messageOf, StartFault } from '#kernel/errors'
import { commit, version } from '#kernel/version'
import { inspectJournal } from '#usage'
import { databaseFacts } from './database-facts.ts'
import { examine, type Finding } from './examine.ts'
import { lastLines } from './log-lines.ts'
import { folderFacts, machineFacts } from './machine-facts.ts'
import { createScrub, secretFiles } from './scrub.ts'
import { serverFacts } from './server-facts.ts'

/** `signalbox doctor --support`: one file for people who help, without secrets and without what people wrote. */
export async function writeSupport({ words: [file], flags, print }: CommandArguments): Promise<number> {
  const created = new Date().toISOString()
  const path = resolve(file ?? `signalbox-support-${created.replaceAll(':', '').slice(0, 17)}.json`)
  const { settings, node_options: nodeOptions, secrets } = describeForSupport()
  const config = configOrNone()
  const bundle = {
    signalbox_support: 1,
    created_at: created,
    version,
    commit,
    machine: machineFacts(nodeOptions),
    settings,
    findings: (await examine()).map(withoutValues),
    ...(config && {
      server: await orError(() => serverFacts(config)),
      database: await orError(() => databaseFacts(config)),
      journal: await orError(() => inspectJournal(config.DATA_DIR)),
      data_folder: await orError(() => folderFacts(config.DATA_DIR)),
    }),
    log: typeof flags['log'] === 'string' ? await orError(() => lastLines(String(flags['log']))) : null,
  }
  const scrub = createScrub([...secrets, ...(config ? secretFiles(config) : [])])
  write(path, `${JSON.stringify(scrub(bundle), null, 2)}\n`)
  print(
    `Wrote ${path}. Secrets are left out; host names, models and sizes are in it. Read it before you send it.`,
    { file: path },
  )
  return 0
}

/** Settings that are wrong are a finding; the rest of the bundle does not need them. */
function configOrNone(): Config | undefined {
  try {
    return loadConfig()
  } catch {
    return undefined
  }
}

async function orError<T>(read: () => T | Promise<T>): Promise<T | { error: string }> {
  try {
    return await read()
  } catch (error) {
    return { error: messageOf(error) }
  }
}

/** At a terminal a wrong value is quoted. It may be a password that was put into the wrong line. */
function withoutValues(finding: Finding): Finding {
  if (finding.check !== 'settings') return finding
  return { ...finding, detail: finding.detail.replace(/^(\w+): .* is not valid:/gm, '$1: not valid:') }
}

/** Never over a file that is there: it may be another's, or a link. */
function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new StartFault(`${path} already exists. Choose another name.`, { cause: error })
  }
}
