import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startGateway } from '../harness/gateway.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
/** Inside the repository, so that the packages are found, and where git does not look. */
const cache = join(root, 'node_modules/.cache/signalbox/typed-client')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'run-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const gateway = await startGateway()

test('a client generated from the API document compiles and drives the main routes', async () => {
  const { text } = await gateway.call('/openapi.json')
  writeFileSync(join(folder, 'openapi.json'), text)
  cpSync(join(import.meta.dirname, 'program.ts.txt'), join(folder, 'program.ts'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  const generator = join(import.meta.dirname, 'node_modules/openapi-typescript/bin/cli.js')
  await run(process.execPath, [generator, 'openapi.json', '-o', 'schema.ts'], { cwd: folder })
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout: complaints } = await run(process.execPath, [
    compiler,
    '-p',
    folder,
    '--singleThreaded',
  ]).catch((error: { stdout: string }) => error)
  assert.equal(complaints, '')
  const { stdout } = await run(process.execPath, [join(folder, 'program.js'), gateway.url, gateway.key])
  assert.equal(stdout, 'every call succeeded\n')
})

const configuration = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    noEmitOnError: true,
  },
  include: ['*.ts'],
}
