import type { ParseArgsOptionsConfig } from 'node:util'

/** One file per command. `usage` lists its forms, `run` returns the exit code. */
export interface Command {
  summary: string
  usage: readonly string[]
  options: ParseArgsOptionsConfig
  run(args: CommandArguments): Promise<number>
}

export interface CommandArguments {
  words: string[]
  flags: Record<string, string | boolean | undefined>
  /** Prints for people, or with --json the same facts for programs. */
  print(text: string, facts: unknown): void
}

/** The arguments are wrong: the usage is printed and the exit code is 2. */
export class UsageError extends Error {}

export function write(text: string): void {
  process.stdout.write(`${text}\n`)
}
