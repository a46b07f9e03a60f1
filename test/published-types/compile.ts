import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { FormatTypes } from './format-types.ts'

const root = join(import.meta.dirname, '../..')
/** Inside the repository, so that the packages are found, and where git does not look. */
const cache = join(root, 'node_modules/.cache/signalbox/published-types')

export interface TypedRequest {
  format: keyof FormatTypes
  /** The JSON text of the upstream request. */
  body: string
  /** What it came from, for the message when it is refused. */
  origin: string
}

/** What the compiler says against the requests, each with the request it is about; empty when all fit. */
export async function typeErrors(requests: readonly TypedRequest[]): Promise<string[]> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'run-'))
  try {
    const byFormat = Map.groupBy(requests, (request) => request.format)
    for (const [format, list] of byFormat)
      await writeFile(join(folder, `${format}.ts`), sourceOf(format, list, folder))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration([...byFormat.keys()])))
    return explain(await compile(folder), byFormat)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const linesBefore = 2

/** One request on each line: the line in an error message shows which one it is about. In literals excess fields are errors. */
function sourceOf(format: keyof FormatTypes, requests: readonly TypedRequest[], folder: string): string {
  const types = relative(folder, join(import.meta.dirname, 'format-types.ts')).replaceAll('\\', '/')
  return [
    `import type { FormatTypes } from '${types}'`,
    'export const requests = [',
    ...requests.map(({ body }) => `${oneLine(body)},`),
    `] satisfies readonly FormatTypes['${format}'][]\n`,
  ].join('\n')
}

/** JSON leaves the separators of lines and paragraphs as they are; to the compiler they begin a new line. */
function oneLine(body: string): string {
  return JSON.stringify(JSON.parse(body)).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

function configuration(formats: readonly string[]): unknown {
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
    files: formats.map((format) => `${format}.ts`),
  }
}

async function compile(folder: string): Promise<string> {
  const compiler = join(root, 'node_modules/.bin/tsc')
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' }
    execFile(
      compiler,
      ['-p', folder, '--pretty', 'false', '--singleThreaded'],
      options,
      (error, stdout, stderr) => {
        // A failure without a message is not about the requests.
        if (error && !stdout.includes('error TS')) reject(new Error(`${error.message}\n${stdout}${stderr}`))
        else resolve(stdout)
      },
    )
  })
}

function explain(output: string, byFormat: ReadonlyMap<string, readonly TypedRequest[]>): string[] {
  const messages = output.split(/\n(?=\S)/).filter((message) => message.trim() !== '')
  return messages.map((message) => {
    const [, format = '', line = ''] = /^(\w+)\.ts\((\d+),/.exec(message) ?? []
    const request = byFormat.get(format)?.[Number(line) - linesBefore - 1]
    return request ? `${message}\nupstream: ${request.body}\n${request.origin}` : message
  })
}
