import { resolve } from '../architecture/imports.ts'
import { code, readSources } from '../architecture/source.ts'

/** What a test that needs a database or a browser loads, straight or through others. */
const doors = [
  'test/harness/database.ts',
  'test/harness/seed.ts',
  'test/harness/process.ts',
  'test/harness/browser-program.ts',
  'bench/gateway/processes.ts',
]

/** They start Node or read the whole tree for longer than all others of the first tier together. */
const heavy = ['test/expressions/', 'test/published-types/', 'test/typed-client/']

export interface Tiers {
  /** Files that need only their own process. */
  pure: string[]
  database: string[]
}

export function tiersOf(files: readonly string[]): Tiers {
  const users = usersOf(doors)
  const needsMore = (file: string): boolean =>
    users.has(file) || heavy.some((folder) => file.startsWith(folder))
  return { pure: files.filter((file) => !needsMore(file)), database: files.filter(needsMore) }
}

/** These files and all that import one of them, straight or through others. */
export function usersOf(files: readonly string[]): ReadonlySet<string> {
  const sources = readSources(...['src', 'test', 'web', 'bench', 'scripts'].map((it) => `${it}/**/${code}`))
  const importers = new Map<string, string[]>()
  for (const [file, text] of sources)
    for (const [, specifier = ''] of text.matchAll(address)) {
      const to = resolve(file, specifier, sources) ?? ''
      importers.set(to, [...(importers.get(to) ?? []), file])
    }
  const found = new Set(files)
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer)
  return found
}

/**
 * Every text that can lead to a file. One in a comment counts too, which does no harm here: to parse every file takes
 * twenty times as long.
 */
const address = /['"`]((?:\.\.?\/|#)[^'"`\s]*)['"`]/g
