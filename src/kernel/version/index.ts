import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommit } from './commit.ts'

export { commitFile, commitOfCheckout } from './commit.ts'

const sources = join(import.meta.dirname, '../..')

/** The version of Signalbox, from package.json. */
export const version = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string }
).version

/** The commit that the code was built from, `unknown` outside of a checkout and of a packed product. */
export const commit = findCommit(sources) ?? 'unknown'

/** Both, as in `0.1.0+0123456789ab`: two builds of one version can be told apart. */
export const build = commit === 'unknown' ? version : `${version}+${commit}`
