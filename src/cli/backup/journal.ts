import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { syncFolder } from '#kernel/datadir'
import { SectionReader, type Section } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import { journalFolder } from '#usage'
import { journalFile, sectionEnd } from './format.ts'

const pieceBytes = 48 * 1024

/**
 * The requests that wait on disk. They come before the tables: a request that is copied to the database meanwhile is
 * then in both, which its id makes harmless, and never in neither.
 */
export async function* dumpJournal(dataDir: string): AsyncGenerator<string> {
  const root = journalFolder(dataDir)
  const written = new Set<string>()
  // A running server renames the folders that it takes over, so what appears meanwhile is read as well.
  for (let found = await listFiles(root); found.length > 0; found = await listFiles(root)) {
    const fresh = found.filter((name) => !written.has(name))
    if (fresh.length === 0) return
    for (const name of fresh) {
      written.add(name)
      yield* dumpFile(root, name)
    }
  }
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((name) => journalFile.safeParse({ journal_file: name }).success)
}

async function* dumpFile(root: string, name: string): AsyncGenerator<string> {
  const file = await open(join(root, name), 'r').catch(() => undefined)
  // Its requests are in the database by now.
  if (!file) return
  try {
    yield `${JSON.stringify({ journal_file: name })}\n`
    const buffer = Buffer.alloc(pieceBytes)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes, null)
      if (bytesRead === 0) break
      yield `${buffer.toString('base64', 0, bytesRead)}\n`
    }
    yield `${sectionEnd}\n`
  } finally {
    await file.close()
  }
}

const stagedFolder = (dataDir: string): string => `${journalFolder(dataDir)}.restoring`

/** Takes the journal's files out of a backup and keeps them aside; returns the other sections. */
export async function* stageJournal(
  dataDir: string,
  sections: AsyncIterable<Section>,
): AsyncGenerator<Section> {
  const root = stagedFolder(dataDir)
  rmSync(root, { recursive: true, force: true })
  let isJournal = true
  for await (const section of sections) {
    isJournal &&= section.title.startsWith('{"journal_file":')
    if (isJournal) await stageFile(create(root, section.title), section.body)
    else yield section
  }
}

async function stageFile(file: number, body: AsyncIterable<Buffer>): Promise<void> {
  try {
    const lines = new SectionReader(body)
    for (let line = await lines.line(); line !== undefined; line = await lines.line())
      writeSync(file, Buffer.from(line, 'base64'))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function create(root: string, line: string): number {
  const name = nameIn(line)
  if (name === undefined)
    throw new StartFault(
      `The backup has a file of the usage journal with a wrong name: ${line.slice(0, 200)}`,
    )
  const path = join(root, name)
  if (existsSync(path))
    throw new StartFault(
      `The backup has the file ${name} of the usage journal twice. Use another copy of the file.`,
    )
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return openSync(path, 'wx', 0o600)
}

function nameIn(line: string): string | undefined {
  try {
    return journalFile.safeParse(JSON.parse(line)).data?.journal_file
  } catch {
    return undefined
  }
}

/** Puts the files in place once the tables are restored; the next start copies them to the database. */
export function placeJournal(dataDir: string): void {
  const [from, to] = [stagedFolder(dataDir), journalFolder(dataDir)]
  mkdirSync(from, { recursive: true, mode: 0o700 })
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const folder of readdirSync(from)) renameSync(join(from, folder), join(to, folder))
  rmSync(from, { recursive: true })
  syncFolder(to)
}
