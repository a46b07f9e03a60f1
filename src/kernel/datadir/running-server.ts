import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { StartFault } from '#kernel/errors'
import { processStartTime } from './process-start.ts'

const fileIn = (dataDir: string): string => join(dataDir, 'server.json')

const noted = z.object({
  url: z.url({ protocol: /^http$/ }),
  process: z.int().positive(),
  host: z.string(),
  started: z.string(),
})

/** Writes down where the server of this data directory listens: with PORT=0 nothing else says it. Returns what removes it. */
export function noteServerUrl(dataDir: string, url: string): () => void {
  const pid = process.pid
  const note: z.infer<typeof noted> = {
    url,
    process: pid,
    host: hostname(),
    started: processStartTime(pid) ?? '',
  }
  const draft = `${fileIn(dataDir)}.${pid}`
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600 })
  // A reader sees the whole file or none.
  renameSync(draft, fileIn(dataDir))
  return () => rmSync(fileIn(dataDir), { force: true })
}

/** Where the running server listens; undefined if none runs, also where a killed one has left its note. */
export function findServerUrl(dataDir: string): string | undefined {
  const note = readNote(fileIn(dataDir))
  if (!note || note.host !== hostname()) return undefined
  return processStartTime(note.process) === note.started ? note.url : undefined
}

/** Where the server listens, or would listen if it ran. */
export function serverUrl({
  DATA_DIR,
  HOST,
  PORT,
}: {
  DATA_DIR: string
  HOST: string
  PORT: number
}): string {
  const found = findServerUrl(DATA_DIR)
  if (found !== undefined) return found
  if (PORT === 0)
    throw new StartFault('Start Signalbox with npm start: PORT is 0, so each start chooses another port.')
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
}

function readNote(file: string): z.infer<typeof noted> | undefined {
  try {
    return noted.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
