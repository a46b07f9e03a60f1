import { lstatSync, readdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os'
import { join } from 'node:path'

export function machineFacts(nodeOptions: string | null) {
  const versions = process.versions
  return {
    platform: `${platform()} ${release()} ${arch()}`,
    cores: availableParallelism(),
    load: loadavg(),
    memory_bytes: totalmem(),
    memory_free_bytes: freemem(),
    /** Of a container; as much as the machine has, or 0, where there is none. */
    memory_limit_bytes: process.constrainedMemory(),
    uptime_seconds: Math.round(uptime()),
    node: { node: versions.node, v8: versions.v8, openssl: versions.openssl, uv: versions.uv },
    node_flags: process.execArgv,
    node_options: nodeOptions,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

const maxEntries = 200

/** What is in DATA_DIR, by name, mode and size; no content. */
export async function folderFacts(path: string) {
  const { bavail, blocks, bsize, ffree } = await statfs(path)
  const entries = readdirSync(path).slice(0, maxEntries)
  return {
    path,
    free_bytes: bavail * bsize,
    bytes: blocks * bsize,
    free_files: ffree,
    entries: entries.map((name) => {
      const { size, mode, mtime } = lstatSync(join(path, name))
      return { name, bytes: size, mode: (mode & 0o7777).toString(8), changed_at: mtime.toISOString() }
    }),
  }
}
