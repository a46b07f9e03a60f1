import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, parse, relative } from 'node:path'
import { claudeCode } from '../assistants/claude-code/index.ts'
import { assistants, type Assistant } from '../assistants/index.ts'

export interface Root {
  assistant: Assistant
  /** Absolute. */
  path: string
}

export interface FoundRoots {
  roots: Root[]
  /** Each entry with its roots, in their order. */
  entries: { path: string; isThere: boolean; roots: Root[] }[]
  /** Folders that exist, in which a root may appear, and below what name; null: below any. */
  places: { folder: string; names: ReadonlySet<string> | null }[]
}

/** How many folders below an entry of unknown layout are watched until the layout shows. */
const maxPlaces = 100

/** An entry is one assistant's folder, as its layout shows, or a home folder that has such folders. */
export async function findRoots(entries: readonly string[]): Promise<FoundRoots> {
  const found = await Promise.all(entries.map(findIn))
  const roots = new Map(
    found.flatMap((each) => each.roots).map((root) => [`${root.assistant.id} ${root.path}`, root]),
  )
  return {
    roots: [...roots.values()],
    entries: found.flatMap(({ entries: each }) => each),
    places: found.flatMap(({ places }) => places),
  }
}

async function findIn(path: string): Promise<FoundRoots> {
  const isThere = await isFolder(path)
  const found = (await isProjectsFolder(path)) ? await projectsIn(path, isThere) : await rootsIn(path)
  return { ...found, entries: [{ path, isThere, roots: found.roots }] }
}

/** Claude Code keeps all its transcripts in this folder of its own, and people name it instead. */
async function isProjectsFolder(path: string): Promise<boolean> {
  if (basename(path) !== 'projects') return false
  return /^\.?claude$/.test(basename(dirname(path))) || (await claudeCode.isRoot(dirname(path)))
}

async function projectsIn(path: string, isThere: boolean): Promise<Omit<FoundRoots, 'entries'>> {
  if (!isThere) return { roots: [], places: await placesOf(parse(path).root, [path]) }
  return { roots: [{ assistant: claudeCode, path: dirname(path) }], places: [] }
}

async function rootsIn(entry: string): Promise<Omit<FoundRoots, 'entries'>> {
  const own = await Promise.all(
    assistants.map(async (assistant) =>
      (await assistant.isRoot(entry)) ? [{ assistant, path: entry }] : [],
    ),
  )
  if (own.flat().length > 0) return { roots: own.flat(), places: [] }
  const roots: Root[] = []
  const missing: string[] = []
  for (const assistant of assistants)
    for (const path of assistant.roots(entry))
      if (await isFolder(path)) roots.push({ assistant, path })
      else missing.push(path)
  const places = await placesOf(entry, missing)
  // A home folder has too much below it; an entry that is nothing yet may become an assistant's folder.
  if (roots.length === 0) for (const folder of await below(entry)) places.push({ folder, names: null })
  return { roots, places }
}

/** The nearest folders that exist, with the names that would lead on to the missing roots. */
async function placesOf(entry: string, missing: string[]): Promise<FoundRoots['places']> {
  const names = new Map<string, Set<string>>()
  for (const path of missing) {
    let folder = dirname(path)
    while (folder.length > entry.length && !(await isFolder(folder))) folder = dirname(folder)
    if (!(await isFolder(folder))) continue
    const next = relative(folder, path).split(/[/\\]/)[0] ?? ''
    names.set(folder, (names.get(folder) ?? new Set()).add(next))
  }
  return [...names].map(([folder, each]) => ({ folder, names: each }))
}

async function below(entry: string): Promise<string[]> {
  const folders = (await isFolder(entry)) ? [entry] : []
  for (let index = 0; index < folders.length && folders.length < maxPlaces; index++) {
    const folder = folders[index] ?? entry
    if (relative(entry, folder).split(/[/\\]/).length > 2) continue
    const children = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const child of children) if (child.isDirectory()) folders.push(join(folder, child.name))
  }
  return folders.slice(0, maxPlaces)
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
