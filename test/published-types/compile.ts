import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { WireTypes } from './wire-types.ts'

const root = join(import.meta.dirname, '../..')
/** Inside the repository, so that the packages are found, and where git does not look. */
const cache = join(root, 'node_modules/.cache/signalbox/published-types')

export interface TypedRequest {
  wire: keyof WireTypes
  /** The JSON text of the upstream request. */
  body: string
  /** What it came from, to be told when it is refused. */
  origin: string
}

/** What the compiler says against the requests, each with the request it is about; empty when all fit. */
export async function complaints(requests: readonly TypedRequest[]): Promise<string[]> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'run-'))
  try {
    const byWire = Map.groupBy(requests, (request) => request.wire)
    for (const [wire, list] of byWire)
      await writeFile(join(folder, `${wire}.ts`), sourceOf(wire, list, folder))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration([...byWire.keys()])))
    return explain(await compile(folder), byWire)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const linesBefore = 2

/** One request on each line: the line of a message tells which one it is about. Literals keep excess fields in sight. */
function sourceOf(wire: keyof WireTypes, requests: readonly TypedRequest[], folder: string): string {
  const types = relative(folder, join(import.meta.dirname, 'wire-types.ts')).replaceAll('\\', '/')
  return [
    `import type { WireTypes } from '${types}'`,
    'export const requests = [',
    ...requests.map(({ body }) => `${oneLine(body)},`),
    `] satisfies readonly WireTypes['${wire}'][]\n`,
  ].join('\n')
}

/** JSON leaves the separators of lines and paragraphs as they are; to the compiler they begin a new line. */
function oneLine(body: string): string {
  return JSON.stringify(JSON.parse(body)).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

function configuration(wires: readonly string[]): unknown {
  return {
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'dom'],
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      strict: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      noEmit: true,
    },
    files: wires.map((wire) => `${wire}.ts`),
  }
}

async function compile(folder: string): Promise<string> {
  const compiler = join(root, 'node_modules/.bin/tsc')
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' }
    execFile(compiler, ['-p', folder, '--pretty', 'false'], options, (error, stdout, stderr) => {
      // A failure without a message is not about the requests.
      if (error && !stdout.includes('error TS')) reject(new Error(`${error.message}\n${stdout}${stderr}`))
      else resolve(stdout)
    })
  })
}

function explain(output: string, byWire: ReadonlyMap<string, readonly TypedRequest[]>): string[] {
  const messages = output.split(/\n(?=\S)/).filter((message) => message.trim() !== '')
  return messages.map((message) => {
    const [, wire = '', line = ''] = /^(\w+)\.ts\((\d+),/.exec(message) ?? []
    const request = byWire.get(wire)?.[Number(line) - linesBefore - 1]
    return request ? `${message}\nupstream: ${request.body}\n${request.origin}` : message
  })
}
