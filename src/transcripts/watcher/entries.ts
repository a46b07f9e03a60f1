import { homedir, hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Config } from '#kernel/config'

/** The folders to watch: those given, or the home folder of who runs this. */
export function watchedEntries({ TRANSCRIPTS_DIR: given }: Pick<Config, 'TRANSCRIPTS_DIR'>): string[] {
  if (given === undefined) return [homedir()]
  return given.map((path) => resolve(path.replace(/^~(?=$|[/\\])/, homedir())))
}

export function machineName({ TRANSCRIPTS_MACHINE: given }: Pick<Config, 'TRANSCRIPTS_MACHINE'>): string {
  return given ?? hostname()
}
