import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findCommands, loadCommand } from '../../src/cli/find-commands.ts'
import { settings } from '../deploy/settings.ts'
import type { ShellCommand } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const { version, scripts } = JSON.parse(read('package.json')) as {
  version: string
  scripts: Record<string, string>
}

/** Programs of other systems: no test runs these commands, for the reason beside them. */
const outside: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'apt',
      'sudo',
      'systemctl',
      'journalctl',
      'nginx',
      'install',
      'cp',
      'mkdir',
      'cd',
      '.',
      'set',
      'grep',
      'sed',
      'runuser',
      // Around commands that have settings of their own.
      '(',
      ')',
    ].map((program) => [
      program,
      'a step of an operator on a server of their own; `npm run deploy:check` reads the files',
    ]),
  ),
  openssl: 'makes a secret or a certificate for a server',
  sha256sum: 'compares files that were copied to another machine',
  pg_basebackup: 'needs the server of an external PostgreSQL',
  ollama: 'needs Ollama',
  claude: '`npm run agents` and `npm run agents:mcp`',
}

/** Where the packages are named that tests install: what a page tells to install is what they run. */
const installed = ['test/packages/package.json', 'test/python-clients/environments.ts', 'test/agents/*.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map(read)
  .join('\n')

/** What is wrong with a command of a page; undefined where it is as it should be. `curl` is run instead. */
export async function problemOf({ words, variables }: ShellCommand): Promise<string | undefined> {
  const [program = '', ...rest] = words
  const unknown = variables.map((each) => each.replace(/=[^]*$/, '')).filter((name) => !isVariable(name))
  if (unknown.length > 0) return `no setting ${unknown.join(', ')}`
  if (program === '' || program === 'curl' || Object.hasOwn(outside, program)) return undefined
  if (program === 'export') return problemOf({ text: '', variables: rest, words: [] })
  if (program === 'npx' && rest[0] === 'signalbox') return commandProblem(rest.slice(1))
  if (program === 'signalbox') return commandProblem(rest)
  if (program === 'npm') return npmProblem(rest)
  if (program === 'pip') return packageProblem(rest)
  if (program === 'node') return flagProblem(rest[0] ?? '', rest.slice(1))
  return `no test knows the program ${program}`
}

/** Those in lower case are the script's own. */
const isVariable = (name: string): boolean =>
  settings.has(name) || ['SIGNALBOX_KEY', 'SIGNALBOX_API_KEY', 'NAME'].includes(name) || /^[a-z]+$/.test(name)

async function commandProblem([name = 'serve', ...args]: readonly string[]): Promise<string | undefined> {
  if (name.startsWith('-') || name === 'help') return undefined
  const path = findCommands().get(name)
  if (path === undefined) return `there is no command ${name}`
  const { options, usage } = await loadCommand(path)
  try {
    const given = { ...options, json: { type: 'boolean' }, help: { type: 'boolean' } } as const
    const { positionals } = parseArgs({ args: [...args], options: given, allowPositionals: true })
    const actions = usage
      .map((form) => /^[a-z-]+(?= |$)/.exec(form)?.[0])
      .filter((each) => each !== undefined)
    const [action] = positionals
    if (action === undefined || actions.length === 0 || actions.includes(action)) return undefined
    return `signalbox ${name} has no ${action}`
  } catch (error) {
    return `signalbox ${name}: ${(error as Error).message}`
  }
}

async function npmProblem([verb = '', ...rest]: readonly string[]): Promise<string | undefined> {
  if (verb === 'install') return packageProblem(['install', ...rest])
  if (verb === 'ci' || verb === 'pack') return undefined
  if (verb === 'start') return commandProblem(['serve', ...rest.filter((each) => each !== '--')])
  const name = verb === 'run' ? (rest[0] ?? '') : verb
  const script = scripts[name]
  if (script === undefined) return `package.json has no script ${name}`
  const separator = rest.indexOf('--')
  const file = /(\S+\.(?:ts|js))/.exec(script)?.[1]
  return separator === -1 || file === undefined ? undefined : flagProblem(file, rest.slice(separator + 1))
}

/** The file is there, and it or its neighbours read each flag. */
function flagProblem(file: string, args: readonly string[]): string | undefined {
  const sources = globSync(`${dirname(file)}/*.ts`, { cwd: root })
    .map(read)
    .join('\n')
  if (!sources) return `there is no ${file}`
  const flags = args.filter((each) => each.startsWith('--')).map((each) => each.replace(/=.*$/, ''))
  const unknown = flags.filter((flag) => !new RegExp(`\\b${flag.slice(2)}\\b`).test(sources))
  return unknown.length === 0 ? undefined : `${file} does not read ${unknown.join(', ')}`
}

function packageProblem([, ...args]: readonly string[]): string | undefined {
  const packages = args.filter((each) => !each.startsWith('-'))
  const wrong = packages.filter((each) => {
    if (/^FILE$|-VERSION\.tgz$/.test(each)) return false
    if (each.endsWith('.tgz')) return !each.endsWith(`/signalbox-${version}.tgz`)
    return !installed.includes(each)
  })
  return wrong.length === 0 ? undefined : `no test installs ${wrong.join(', ')}`
}
