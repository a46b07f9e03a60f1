import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

const maxBytes = 4_000_000
const maxLines = 1_000

/** The end of a log, or of standard input for `-`. A line that is cut at its front is left out: a mask needs all of it. */
export async function lastLines(file: string): Promise<string[]> {
  const { bytes, isWhole } = file === '-' ? endOf(await buffer(process.stdin)) : await readEnd(file)
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .slice(isWhole ? 0 : 1)
  return lines.filter((line) => line.trim() !== '').slice(-maxLines)
}

interface End {
  bytes: Buffer
  isWhole: boolean
}

const endOf = (all: Buffer): End => ({
  bytes: all.subarray(-maxBytes),
  isWhole: all.length <= maxBytes,
})

async function readEnd(file: string): Promise<End> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, maxBytes)
    const { buffer: bytes, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return { bytes: bytes.subarray(0, bytesRead), isWhole: size <= maxBytes }
  } finally {
    await handle.close()
  }
}
