import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ownFolder = join(import.meta.dirname, '../../../migrations')

export interface MigrationFile {
  name: string
  text: string
  /** `-- outside a transaction`: statements that PostgreSQL refuses in one, such as `create index concurrently`. */
  isOutsideTransaction: boolean
  /** `-- contracts: …`: takes away what the release before still uses, which then does not start any more. */
  contracts: boolean
}

export function migrationNames(folder = ownFolder): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -4))
    .toSorted()
}

export function readMigration(name: string, folder = ownFolder): MigrationFile {
  const text = readFileSync(join(folder, `${name}.sql`), 'utf8')
  return {
    name,
    text,
    isOutsideTransaction: /^-- outside a transaction$/m.test(text),
    contracts: /^-- contracts: \S/m.test(text),
  }
}

/** Of a file that runs outside a transaction: each statement ends at the end of a line. */
export function statementsOf(text: string): string[] {
  return text
    .split(/;[ \t]*(?:\n|$)/)
    .map((part) => part.replace(/^[ \t]*--.*$/gm, '').trim())
    .filter((part) => part !== '')
}

/** Every table that a migration makes, as `schema.name`. A test compares them with a migrated database. */
export function tablesOfMigrations(): string[] {
  const made = /^[ \t]*create (?:unlogged )?table (?:if not exists )?([a-z_]+\.[a-z0-9_]+)/gim
  return migrationNames().flatMap((name) =>
    [...readMigration(name).text.matchAll(made)].flatMap(([, table]) => table ?? []),
  )
}
