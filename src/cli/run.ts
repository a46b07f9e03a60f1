import { parseArgs } from 'node:util'
import { UsageError, write, type Command, type CommandArguments } from '#kernel/command'
import { Fault, StartFault } from '#kernel/errors'
import { mask } from '#kernel/mask'
import { commit, version } from '#kernel/version'
import { findCommands, loadCommand } from './find-commands.ts'
import { endOnSignals } from './signals.ts'

export async function runCommandLine(argv: string[]): Promise<number> {
  endOnSignals()
  const [name = 'serve', ...rest] = argv
  if (name === 'help' || name === '--help' || name === '-h') return printHelp(rest[0])
  if (name === '--version' || name === '-v' || name === 'version')
    return printVersion(rest.includes('--json'))
  const path = findCommands().get(name)
  if (path === undefined)
    return complain(`There is no command "${name}". Run signalbox --help for the list.`, 2)
  const command = await loadCommand(path)
  if (rest.includes('--help') || rest.includes('-h')) return printUsage(name, command)
  try {
    const { values, positionals } = parse(command, rest)
    const isJson = values['json'] === true
    const print = (text: string, facts: unknown): void => write(isJson ? JSON.stringify(facts) : text)
    return await command.run({ words: positionals, flags: values as CommandArguments['flags'], print })
  } catch (error) {
    if (error instanceof UsageError) return complain(`${error.message}\n${usageText(name, command)}`, 2)
    if (error instanceof StartFault || error instanceof Fault) return complain(error.message, 1)
    return complain(error instanceof Error ? (error.stack ?? error.message) : String(error), 1)
  }
}

function parse(command: Command, args: string[]) {
  try {
    const options = { ...command.options, json: { type: 'boolean' } } as const
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function printVersion(isJson: boolean): number {
  const node = process.versions.node
  write(isJson ? JSON.stringify({ version, commit, node }) : `signalbox ${version} (commit ${commit})`)
  return 0
}

async function printHelp(name: string | undefined): Promise<number> {
  const commands = findCommands()
  const path = name === undefined ? undefined : commands.get(name)
  if (name !== undefined && path !== undefined) return printUsage(name, await loadCommand(path))
  const lines = await Promise.all(
    [...commands].map(
      async ([each, eachPath]) => `  ${each.padEnd(10)} ${(await loadCommand(eachPath)).summary}`,
    ),
  )
  write(
    `signalbox [command] [options]\n\n${lines.join('\n')}\n\nWithout a command it starts the server. Every command takes --help, and --json for programs. Exit codes: 0 done, 1 failed, 2 wrong usage.`,
  )
  return 0
}

function printUsage(name: string, command: Command): number {
  write(`${command.summary}\n\n${usageText(name, command)}`)
  return 0
}

function usageText(name: string, command: Command): string {
  return command.usage.map((form) => `  signalbox ${name}${form === '' ? '' : ` ${form}`}`).join('\n')
}

function complain(text: string, code: number): number {
  process.stderr.write(`${mask(text)}\n`)
  return code
}
