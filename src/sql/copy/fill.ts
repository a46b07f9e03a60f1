import { escapeIdentifier, type Client } from 'pg'
import { Fault, faults } from '#kernel/errors'
import { runAlone } from './run-alone.ts'
import type { SchemaObject, SchemaScript } from './schema-script.ts'

const maxMs = 60_000
const maxLeftOut = 50

export interface Filled {
  objects: number
  leftOut: { what: string; error: string }[]
}

/** Makes the objects of a schema. What needs another one is tried again after it, as long as that helps. */
export async function fillCopy(
  client: Client,
  { objects, searchPath }: SchemaScript,
  signal: AbortSignal,
): Promise<Filled> {
  const until = performance.now() + maxMs
  await client.query(
    `set search_path = ${searchPath.map((name) => escapeIdentifier(name)).join(', ') || "''"}`,
  )
  // Bodies are parsed when they run; what they use may come later.
  await client.query('set check_function_bodies = off')
  let open: SchemaObject[] = objects
  for (;;) {
    const failed: { object: SchemaObject; error: string }[] = []
    for (const object of open) {
      signal.throwIfAborted()
      if (performance.now() > until) throw tooLong()
      const error = await runAlone(client, object.sql)
      if (error !== null) failed.push({ object, error })
    }
    if (failed.length === 0 || failed.length === open.length)
      return {
        objects: objects.length - failed.length,
        leftOut: failed.slice(0, maxLeftOut).map(({ object, error }) => ({ what: object.what, error })),
      }
    open = failed.map(({ object }) => object)
  }
}

const tooLong = (): Fault =>
  new Fault(faults.invalidRequest, 'The schema is too large: copying it took more than 60 s.')
