#!/usr/bin/env -S node --max-semi-space-size=16
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Runs with the Node that npm put first on the path. After a global installation that may be an older one, so this
// file must load in Node 20: the product then runs in the Node 24 that it brings.
const oldest = 24
// A checkout has the source, the packed product only what was built from it.
const source = new URL('../src/cli/main.js', import.meta.url)
const main = existsSync(source) ? source : new URL('../lib/cli/main.js', import.meta.url)

if (Number.parseInt(process.versions.node, 10) >= oldest) await import(main.href)
else await runInOwnNode()

async function runInOwnNode() {
  const { spawn } = await import('node:child_process')
  const { fileURLToPath } = await import('node:url')
  const program = ownNode()
  if (program === undefined) {
    process.stderr.write(
      `Signalbox needs Node ${oldest} or newer; this is ${process.version}. Update Node, or install Signalbox again with the script of the package "node" allowed, which brings it.\n`,
    )
    process.exitCode = 1
    return
  }
  const args = ['--max-semi-space-size=16', fileURLToPath(main), ...process.argv.slice(2)]
  const child = spawn(program, args, { stdio: 'inherit' })
  // A terminal sends SIGINT to both processes; the others come from a supervisor that knows only this one.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => (process.exitCode = code ?? (signal === null ? 1 : 128)))
}

/** The program of the package "node", where npm was allowed to install it. */
function ownNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json')
    const program = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}
