import { existsSync, readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from '#kernel/command'

const sources = join(import.meta.dirname, '..')
/** Commands are JavaScript in the packed product. */
const extension = extname(import.meta.filename)

/** Files of all commands by name: `src/<part>/commands/<name>.ts`. */
export function findCommands(): ReadonlyMap<string, string> {
  const folders = readdirSync(sources)
    .map((part) => join(sources, part, 'commands'))
    .filter((folder) => existsSync(folder))
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(extension) && !file.endsWith('.test.ts'))
      .map((file) => ({ name: basename(file, extension), path: join(folder, file) })),
  )
  const commands = new Map<string, string>()
  for (const { name, path } of files.toSorted((a, b) => a.name.localeCompare(b.name))) {
    if (commands.has(name)) throw new Error(`Two parts have a command "${name}": ${path} is the second`)
    commands.set(name, path)
  }
  return commands
}

/** Loaded one at a time, so that a command does not wait for the modules of the others. */
export async function loadCommand(path: string): Promise<Command> {
  const loaded: unknown = await import(pathToFileURL(path).href)
  if (!hasCommand(loaded)) throw new Error(`${path} does not export a command`)
  return loaded.command
}

function hasCommand(loaded: unknown): loaded is { command: Command } {
  const { command } = loaded as { command?: Partial<Command> }
  return typeof command?.summary === 'string' && typeof command.run === 'function'
}
