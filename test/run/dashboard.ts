import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Builds the dashboard, unless it is newer than everything that it is made from. */
export async function buildDashboard(root: string): Promise<void> {
  const built = changedAt(join(root, 'web/dist/index.html'))
  // Folders too: one that has lost a file has changed.
  const sources = globSync('{web,src}/**', { cwd: root, exclude: ['web/dist', 'web/dist/**'] })
  const isOlder = [...sources, 'package-lock.json'].some((file) => changedAt(join(root, file)) >= built)
  if (isOlder) await import('../../scripts/build-web.ts')
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
