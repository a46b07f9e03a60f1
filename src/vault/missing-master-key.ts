import { existsSync } from 'node:fs'
import { StartFault } from '#kernel/errors'
import type { KeyRing } from './key-ring.ts'

/** One line that names what to put back, and where. */
export function explainMissing(ring: KeyRing, id: string, other?: { host: string }): StartFault {
  const { files, own } = ring
  if (other)
    return new StartFault(
      `Another replica (on ${other.host}) runs on this database with the master key ${id}, but the one here is ${own.id}. ` +
        `Set MASTER_KEY to the same value on every replica${files ? `, or copy its DATA_DIR/master.key to ${files.path}` : ''}.`,
    )
  if (!files) {
    return new StartFault(
      `MASTER_KEY: the key store was sealed by the master key ${id}, but this one is ${own.id}. ` +
        'Set MASTER_KEY to the original, or PREVIOUS_MASTER_KEY if you are changing it. If it is lost: npx signalbox keys drop-sealed',
    )
  }
  const kept = files.retiredPath(id)
  const place = existsSync(kept)
    ? `It is kept in ${kept}`
    : 'Take it from where you keep it, apart from the backups'
  return new StartFault(
    `${files.path}: the key store was sealed by the master key ${id}, but this file holds ${own.id}. ` +
      `Put the original file back. ${place}. If it is lost: npx signalbox keys drop-sealed`,
  )
}
