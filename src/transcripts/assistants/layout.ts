import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How many folders of one level are looked at before a layout counts as not recognised. */
const foldersSeen = 200

/** Whether any of these paths exists below the folder. */
export async function hasAny(folder: string, paths: string[]): Promise<boolean> {
  const found = await Promise.all(
    paths.map((path) =>
      stat(join(folder, path)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.includes(true)
}

/** Whether `folder/*` has an entry whose name matches. */
export async function hasBelow(folder: string, name: RegExp): Promise<boolean> {
  for (const child of (await namesIn(folder)).slice(0, foldersSeen))
    if ((await namesIn(join(folder, child))).some((each) => name.test(each))) return true
  return false
}

export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
