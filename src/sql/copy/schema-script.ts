import type { DatabaseOfGroup } from '../database/places.ts'
import type { Runner } from '../run/runner.ts'
import { queries } from './schema-queries.ts'
import { Fault, faults } from '#kernel/errors'

/** One object of a schema and the statement that makes it. */
export interface SchemaObject {
  what: string
  sql: string
}

export interface SchemaScript {
  objects: SchemaObject[]
  /** The schemas in which names without one are found, as in the real database. */
  searchPath: string[]
}

const maxObjects = 20_000

/** The structure of a database as statements, read as the reader. The embedded server has no pg_dump. */
export async function schemaScript(runner: Runner, at: DatabaseOfGroup): Promise<SchemaScript> {
  const objects: SchemaObject[] = []
  for (const query of queries) {
    const rows = await runner.lookUp(at, `${query} limit ${maxObjects - objects.length + 1}`, [])
    for (const { what, sql } of rows)
      if (typeof what === 'string' && typeof sql === 'string') objects.push({ what, sql })
    if (objects.length > maxObjects)
      throw new Fault(
        faults.invalidRequest,
        `The schema has more than ${maxObjects.toLocaleString('en')} objects, which is too many for a copy.`,
      )
  }
  const [path] = await runner.lookUp(at, 'select current_schemas(false)::text[] as names', [])
  return { objects, searchPath: (path?.['names'] as string[] | undefined) ?? ['public'] }
}
