import { existsSync } from 'node:fs'
import { StartFault } from '#kernel/errors'
import type { KeyRing } from './key-ring.ts'

/** One line that names what to put back, and where. */
export function explainMissing(ring: KeyRing, id: string): StartFault {
  const { files, own } = ring
  if (!files) {
    return new StartFault(
      `MASTER_KEY: the key store was sealed by the master key ${id}, but this one is ${own.id}. ` +
        'Set MASTER_KEY to the original, or PREVIOUS_MASTER_KEY if you are changing it. If it is lost: npm run signalbox -- keys drop-sealed',
    )
  }
  const kept = files.retiredPath(id)
  const place = existsSync(kept)
    ? `It is kept in ${kept}`
    : 'Take it from where you keep it, apart from the backups'
  return new StartFault(
    `${files.path}: the key store was sealed by the master key ${id}, but this file holds ${own.id}. ` +
      `Put the original file back. ${place}. If it is lost: npm run signalbox -- keys drop-sealed`,
  )
}
