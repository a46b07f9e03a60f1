import { dirname, posix } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { parse, type Import, type Sources } from './source.ts'

/** One import, with the file it leads to; packages and built-in modules are not listed. */
export interface Edge {
  from: string
  line: number
  specifier: string
  to: string
}

/** As Node looks them up: the longest text before the star wins, then the longest name. */
const doors = Object.entries(manifest.imports)
  .map(([name, target]) => {
    const [before = '', after] = name.split('*')
    return { name, before, after, target: target.slice('./'.length) }
  })
  .toSorted((a, b) => b.before.length - a.before.length || b.name.length - a.name.length)

/** Every import of these sources that leads to a file of the repository, whatever way it is written. */
export function importsOf(sources: Sources): Edge[] {
  return [...sources].flatMap(([file, text]) =>
    [...parse(file, text).imports, ...addresses(file, text, sources)].flatMap(({ specifier, line }) => {
      const to = resolve(file, specifier, sources)
      return to === undefined ? [] : [{ from: file, line, specifier, to }]
    }),
  )
}

/** Other texts that lead to code: for `require`, a worker, a glob, or the beginning of a path that is put together. */
function addresses(file: string, text: string, sources: Sources): Import[] {
  const { imports, words } = parse(file, text)
  const imported = new Set(imports.map(({ specifier }) => specifier))
  return words
    .filter((word) => word.kind === 'text' && /^(\.\.?\/|#)/.test(word.text) && !imported.has(word.text))
    .map((word) => ({ specifier: word.text, line: word.line }))
    .filter(({ specifier }) => {
      const to = resolve(file, specifier, sources) ?? ''
      return specifier.startsWith('#') ? sources.has(to) : /^(src|web(?!\/dist)|test|bench)\//.test(to)
    })
}

export function show(edge: Edge): string {
  return `${edge.from}:${edge.line} -> ${edge.specifier}`
}

/** The file that an import leads to. */
export function resolve(file: string, specifier: string, sources: Sources): string | undefined {
  if (specifier.startsWith('#')) return behindDoor(specifier)
  if (/^(\/|file:)/.test(specifier)) return `no door ${specifier}`
  if (!specifier.startsWith('.')) return undefined
  const path = posix.join(dirname(file), specifier.replace(/\?.*$/, '').replaceAll(/%2e/gi, '.'))
  // Vite also finds files without their extension, and TypeScript by that of the JavaScript.
  const inside = ['index.ts', 'index.tsx'].map((index) => posix.join(path, index))
  const tries = [
    path,
    `${path}.ts`,
    `${path}.tsx`,
    ...['.ts', '.tsx'].map((end) => path.replace(/\.jsx?$/, end)),
    ...inside,
  ]
  return tries.find((each) => sources.has(each)) ?? path
}

function behindDoor(specifier: string): string {
  for (const { before, after, target } of doors) {
    if (after === undefined && specifier === before) return target
    if (after === undefined || !specifier.startsWith(before) || !specifier.endsWith(after)) continue
    if (specifier.length > before.length + after.length)
      return target.replace('*', specifier.slice(before.length, specifier.length - after.length))
  }
  return `no door ${specifier}`
}
