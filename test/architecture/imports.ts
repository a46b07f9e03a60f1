import { dirname, posix } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { parse, type Sources } from './source.ts'

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
    parse(file, text).imports.flatMap(({ specifier, line }) => {
      const to = resolve(file, specifier, sources)
      return to === undefined ? [] : [{ from: file, line, specifier, to }]
    }),
  )
}

export function show(edge: Edge): string {
  return `${edge.from}:${edge.line} -> ${edge.specifier}`
}

function resolve(file: string, specifier: string, sources: Sources): string | undefined {
  if (specifier.startsWith('#')) return behindDoor(specifier)
  if (!specifier.startsWith('.')) return undefined
  const path = posix.join(dirname(file), specifier.replace(/\?.*$/, ''))
  // Vite also finds files without their extension.
  const tries = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`]
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
