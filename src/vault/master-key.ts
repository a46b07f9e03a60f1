import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import type { Secret } from '#kernel/log'

/** A master key ready for use. The bytes are in a KeyObject, which no log or inspection prints. */
export interface MasterKey {
  /** Identifies the key without revealing anything about it. */
  id: string
  key: KeyObject
}

export function toMasterKey(secret: Secret): MasterKey {
  const bytes = Buffer.from(secret.reveal(), 'base64')
  if (bytes.length !== 32) throw new Error('A master key has 32 bytes')
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), key: createSecretKey(bytes) }
}
