import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parts } from './parts.ts'
import { recordPart, snapshotFile, writeSnapshot } from './snapshot.ts'

/** Writes the snapshot of every part. */
for (const [part, sample] of Object.entries(parts)) {
  const file = snapshotFile(part)
  writeFileSync(join(import.meta.dirname, '../..', file), writeSnapshot(await recordPart(part, sample)))
  console.log(file)
}
