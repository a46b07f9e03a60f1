import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Lines, compressed together. A line never contains a line end. */
export interface PackedLines {
  data: Uint8Array
  lines: number
  /** Uncompressed. */
  bytes: number
}

/** Small runs are packed again with what follows, because a single line hardly compresses. */
export const smallPack = 128 * 1024
/** A run of lines is never larger than a request, in bytes of UTF-8. */
const maxBytes = 256 * 1024 * 1024

export function pack(lines: readonly string[]): PackedLines {
  const text = Buffer.from(lines.map((line) => line.replaceAll(/[\r\n]+/g, ' ')).join('\n'))
  const data = zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 6 } })
  return { data, lines: lines.length, bytes: text.length }
}

export function unpack(data: Uint8Array): string[] {
  return zstdDecompressSync(data, { maxOutputLength: maxBytes }).toString('utf8').split('\n')
}
