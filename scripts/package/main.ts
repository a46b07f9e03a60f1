import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { commitFile, commitOfCheckout } from '../../src/kernel/version/index.ts'

/**
 * Writes `lib/`, the JavaScript of `src/` for the packed product: Node does not strip types below node_modules. `npm
 * pack` runs it. The folder is where `src/` is in a checkout, so paths to migrations, models and the dashboard
 * stay valid; its own package.json maps `#part` to the JavaScript. COMMIT says what is packed where there is no git, as
 * in the build of an image.
 */

const root = join(import.meta.dirname, '../..')
const lib = join(root, 'lib')
const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')

rmSync(lib, { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', import.meta.dirname], { stdio: 'inherit' })
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  imports: Record<string, string>
}
// Those that lead out of src/ are for tests.
const built = Object.entries(imports)
  .filter(([, path]) => path.startsWith('./src/'))
  .map(([name, path]) => [name, path.replace('./src/', './').replace(/\.ts$/, '.js')])
writeFileSync(
  join(lib, 'package.json'),
  `${JSON.stringify({ type: 'module', imports: Object.fromEntries(built) }, null, 2)}\n`,
)
writeFileSync(join(lib, commitFile), `${JSON.stringify({ commit: commitToPack() })}\n`)

function commitToPack(): string | undefined {
  const given = process.env['COMMIT']
  if (given !== undefined && given !== '') {
    if (!/^[0-9a-f]{12,64}$/.test(given)) throw new Error(`COMMIT: ${given} is not a commit of git`)
    return given.slice(0, 12)
  }
  const commit = commitOfCheckout(root)
  return commit !== undefined && hasChanges() ? `${commit}-dirty` : commit
}

function hasChanges(): boolean {
  const status = ['status', '--porcelain', '--untracked-files=no']
  return execFileSync('git', status, { cwd: root, encoding: 'utf8' }) !== ''
}
