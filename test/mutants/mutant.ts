import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** One guard, broken on purpose, and the tests that must notice. */
export interface Mutant {
  guard: string
  file: string
  /** Occurs exactly once in the file. */
  text: string
  replacement: string
  tests: readonly string[]
  /** Runs only the tests whose name contains this, to save time. */
  name?: string
}

export type Verdict = 'killed' | 'survived'

/** Why a mutant cannot be applied, if so: the code it breaks has changed. */
export function whyNotApplicable(
  root: string,
  { file, text, replacement, tests }: Mutant,
): string | undefined {
  const source = readOrNothing(join(root, file))
  if (source === undefined) return `${file} does not exist`
  const count = source.split(text).length - 1
  if (count !== 1) return `${file} has the text ${count} times: ${text}`
  if (text === replacement) return `the replacement changes nothing: ${text}`
  // Code that cannot be loaded fails every test, whatever the tests check.
  const { errors } = parseSync(
    file,
    source.replace(text, () => replacement),
  )
  if (/\.m?tsx?$|\.mjs$/.test(file) && errors.length > 0)
    return `the replacement cannot be parsed: ${replacement}`
  const missing = tests.find((test) => readOrNothing(join(root, test)) === undefined)
  return missing === undefined ? undefined : `${missing} does not exist`
}

/** A copy of the tree in which sources may be broken; what no mutant touches is only linked. */
export function copyTree(root: string): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-mutants-'))
  for (const entry of readdirSync(root)) {
    if (['src', 'test', 'migrations'].includes(entry))
      cpSync(join(root, entry), join(folder, entry), { recursive: true })
    else if (entry !== '.git') symlinkSync(join(root, entry), join(folder, entry))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Breaks the guard in the copy, runs its tests there, and mends it again. */
export async function tryMutant(folder: string, mutant: Mutant): Promise<Verdict> {
  const path = join(folder, mutant.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    source.replace(mutant.text, () => mutant.replacement),
  )
  try {
    // Without a single test there is nothing that could have noticed.
    return (await runTests(folder, mutant)) === 'failed' ? 'killed' : 'survived'
  } finally {
    writeFileSync(path, source)
  }
}

const longestRunMs = 180_000

/** Runs the tests in the folder. The first failure decides, so the rest is not waited for. `none`: no test has the name. */
export function runTests(
  folder: string,
  { file, tests, name }: Mutant,
): Promise<'passed' | 'failed' | 'none'> {
  const { NODE_TEST_CONTEXT: _context, ...environment } = process.env
  const only = name === undefined ? [] : ['--test-name-pattern', name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')]
  // The run's server has been migrated already.
  const server = file.startsWith('migrations/') ? ['test/mutants/on-own-server.ts'] : []
  const child = spawn(process.execPath, [...server, '--test', '--test-reporter=tap', ...only, ...tests], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  return new Promise((resolve) => {
    let output = ''
    let isOver = false
    const finish = (result: 'passed' | 'failed' | 'none'): void => {
      clearTimeout(timer)
      if (isOver) return
      isOver = true
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      resolve(result)
    }
    // A test that hangs because its guard is gone has noticed too.
    const timer = setTimeout(finish, longestRunMs, 'failed')
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (/^\s*not ok /m.test(output)) finish('failed')
    })
    child.once('close', (code) => finish(code !== 0 ? 'failed' : hasTests(output, tests) ? 'passed' : 'none'))
  })
}

/** A file in which no test has the name is listed as a test itself. */
function hasTests(output: string, files: readonly string[]): boolean {
  const names = [...output.matchAll(/^\s*# Subtest: (.*)$/gm)].map(([, name = '']) => name)
  return names.some((name) => !files.some((file) => name.endsWith(file)))
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
