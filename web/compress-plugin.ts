import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const smallest = 1_024
/** The highest quality would take ten seconds for the script of the API reference. */
const large = 1_000_000

/** Writes every text file a second and third time, compressed: the server sends them as they are. */
export function compressFiles(folder: string): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    closeBundle() {
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|html|svg)$/.test(file)) continue
        const path = join(folder, file)
        const bytes = readFileSync(path)
        if (bytes.length < smallest) continue
        const quality = bytes.length > large ? 9 : constants.BROTLI_MAX_QUALITY
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
        )
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
