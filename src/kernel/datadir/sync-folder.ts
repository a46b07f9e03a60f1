import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A new or renamed file survives a power failure only once its folder is on the disk too. Windows cannot do this. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
