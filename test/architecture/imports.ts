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

const doors = Object.entries(manifest.imports).map(([name, target]) => {
  const [before = '', after] = name.split('*')
  return { before, wild: after !== undefined, target: target.slice('./'.length) }
})

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
  for (const { before, wild, target } of doors) {
    if (!wild && specifier === before) return target
    if (wild && specifier.startsWith(before)) return target.replace('*', specifier.slice(before.length))
  }
  return `no door ${specifier}`
}
