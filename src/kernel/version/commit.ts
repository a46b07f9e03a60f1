import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Beside the code of the packed product, written when it is packed. */
export const commitFile = 'commit.json'

/** The commit of the code in `sources`, which is `src` of a checkout or `lib` of the packed product. */
export function findCommit(sources: string): string | undefined {
  const packed = read(join(sources, commitFile))
  if (packed === undefined) return commitOfCheckout(join(sources, '..'))
  return (JSON.parse(packed) as { commit?: string }).commit
}

/** The first 12 digits, read from the files of git: starting git would take longer than the rest of `--version`. */
export function commitOfCheckout(root: string): string | undefined {
  const folder = gitFolder(root)
  const head = read(join(folder, 'HEAD'))
  const ref = head?.match(/^ref: (\S+)/)?.[1]
  const hash = ref === undefined ? head : commitOfRef(folder, ref)
  return hash?.match(/^[0-9a-f]{40,64}$/)?.[0].slice(0, 12)
}

/** A worktree has a file `.git` that names its folder. */
function gitFolder(root: string): string {
  const path = join(root, '.git')
  const elsewhere = read(path)?.match(/^gitdir: (.+)$/)?.[1]
  return elsewhere === undefined ? path : resolve(root, elsewhere)
}

/** Branches of a worktree are kept in the folder of the repository. */
function commitOfRef(folder: string, ref: string): string | undefined {
  const shared = resolve(folder, read(join(folder, 'commondir')) ?? '.')
  return (
    read(join(folder, ref)) ??
    read(join(shared, ref)) ??
    read(join(shared, 'packed-refs'))
      ?.split('\n')
      .find((line) => line.endsWith(` ${ref}`))
      ?.split(' ')[0]
  )
}

/** Looked at first: an error costs more than the file. */
function read(path: string): string | undefined {
  try {
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
    return isFile ? readFileSync(path, 'utf8').trim() : undefined
  } catch {
    return undefined
  }
}
