import type { Config } from '#kernel/config'
import type { Secret } from '#kernel/log'
import { createKeyFiles, type KeyFiles } from './key-files.ts'
import { toMasterKey, type MasterKey } from './master-key.ts'

/** The master keys this process can use. The database says which of them is current. */
export interface KeyRing {
  /** The key this process was started with. */
  own: MasterKey
  /** undefined when the operator gives the key by MASTER_KEY. */
  files: KeyFiles | undefined
  /** For an unknown id the files are read again: the key may have been added after the start. */
  find(id: string): MasterKey | undefined
  add(secret: Secret): MasterKey
}

export function createKeyRing(config: Config, masterKey: Secret): KeyRing {
  const known = new Map<string, MasterKey>()
  const files = config.MASTER_KEY === undefined ? createKeyFiles(config.DATA_DIR) : undefined

  function add(secret: Secret): MasterKey {
    const key = toMasterKey(secret)
    known.set(key.id, key)
    return key
  }

  const own = add(masterKey)
  if (config.PREVIOUS_MASTER_KEY) add(config.PREVIOUS_MASTER_KEY)

  return {
    own,
    files,
    add,
    find(id) {
      if (known.has(id) || !files) return known.get(id)
      const { next, current } = files.read()
      if (next) add(next)
      if (current) add(current)
      return known.get(id)
    },
  }
}
