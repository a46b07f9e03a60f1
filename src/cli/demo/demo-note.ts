import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const note = z.object({
  group_id: z.uuid(),
  /** False until everything is in it: a demo that was interrupted is removed and filled again. */
  is_filled: z.boolean(),
  /** Where the demo's own servers listened last, so that the addresses in the group stay valid. */
  world_port: z.int(),
  database_port: z.int(),
})
export type DemoNote = z.infer<typeof note>

const fileIn = (dataDir: string): string => join(dataDir, 'demo.json')

/** Which group of this data directory is the demo: a name could be that of a group of somebody else. */
export function readDemoNote(dataDir: string): DemoNote | undefined {
  try {
    return note.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}

export function writeDemoNote(dataDir: string, demo: DemoNote): void {
  writeFileSync(fileIn(dataDir), JSON.stringify(demo), { mode: 0o600 })
}
