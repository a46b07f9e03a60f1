import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { notesOf } from './changelog.ts'
import { packedProblems, problemsOf, type Sources } from './checks.ts'
import { writeSbom } from './sbom.ts'
import { tryProduct } from './try-product.ts'

/**
 * `npm run release -- VERSION`: checks that everything says this version, writes the packed product, its SBOM, the notes
 * and checksums to `release/`, then installs the file into an empty folder and starts it. `--dry-run` takes the version of
 * package.json and lets changed files pass. Nothing is tagged or published.
 */

const root = join(import.meta.dirname, '../..')
const target = join(root, 'release')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })

function sources(version: string): Sources {
  const tagged = git('tag', '--list', `v${version}`).trim() !== ''
  const isHere = tagged && git('rev-parse', `v${version}^{commit}`) === git('rev-parse', 'HEAD')
  return {
    version,
    changelog: read('CHANGELOG.md'),
    chart: read('deploy/helm/signalbox/Chart.yaml'),
    changed: git('status', '--porcelain'),
    tag: tagged ? (isHere ? 'here' : 'elsewhere') : 'none',
  }
}

/** Also builds the dashboard: npm runs `prepare` and `prepack` first. */
function pack(): string {
  const [name = ''] = readdirSync(target).filter((file) => file.endsWith('.tgz'))
  if (name !== '') throw new Error(`${name} is in the way.`)
  execFileSync('npm', ['pack', '--pack-destination', target], { cwd: root, stdio: ['ignore', 'ignore', 2] })
  const [file = ''] = readdirSync(target)
  const listed = execFileSync('tar', ['-tzf', join(target, file)], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  })
  const files = listed.split('\n').map((line) => line.replace(/^package\//, ''))
  fail(packedProblems(files))
  return join(target, file)
}

function writeSums(): void {
  const lines = readdirSync(target)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(target, name)))
          .digest('hex')}  ${name}`,
    )
  writeFileSync(join(target, 'SHA256SUMS'), `${lines.join('\n')}\n`)
}

function fail(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

async function release(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  })
  const isDry = values['dry-run']
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const [wanted = isDry ? version : undefined] = positionals
  if (wanted === undefined) throw new Error('Name the version: npm run release -- VERSION, or --dry-run.')
  const found = sources(version)
  fail(problemsOf(wanted, isDry ? { ...found, changed: '' } : found))
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-release-'))
  try {
    const file = pack()
    console.log(`Packed ${file}, ${(statSync(file).size / 1e6).toFixed(0)} MB`)
    const listed = writeSbom(root, folder, join(target, `signalbox-${version}.cdx.json`))
    console.log(`SBOM: ${listed.size} packages`)
    const { date, text } = notesOf(found.changelog, version)
    writeFileSync(join(target, 'NOTES.md'), `# Signalbox ${version}, ${date}\n\n${text}\n`)
    writeSums()
    const { commit, unlisted } = await tryProduct(file, join(folder, 'empty'), version, listed)
    console.log(`Installed into an empty folder, started and asked: ${version}, commit ${commit}`)
    if (unlisted.length > 0)
      console.log(`npm installed newer packages than the lockfile has: ${unlisted.join(', ')}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`\nEverything is in ${target}.`)
  if (found.changed !== '') console.log('Files are changed or new: commit them before the release.')
  if (!isDry && found.tag === 'none') console.log(`Next: git tag -a v${version} -m "Signalbox ${version}"`)
}

try {
  await release()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
