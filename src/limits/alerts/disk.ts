import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'

export interface MeasuredDisk {
  host: string
  freeBytes: number
  totalBytes: number
}

/** The space where this server keeps its data, as far as it may use it. */
export async function measureDisk(folder: string): Promise<MeasuredDisk> {
  const { bsize, bavail, blocks } = await statfs(folder)
  return { host: hostname(), freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
