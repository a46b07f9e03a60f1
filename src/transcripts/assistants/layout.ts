import { stat } from 'node:fs/promises'
import { join } from 'node:path'

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
