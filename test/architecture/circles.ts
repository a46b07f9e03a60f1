import { importsOf } from './imports.ts'
import { isTest, type Sources } from './source.ts'

/** Groups of files that import each other in a circle, type-only imports included. */
export function circles(sources: Sources): string[] {
  return circlesOf(importsOf(sources).filter(({ to }) => sources.has(to)))
}

/** Parts of the server that import each other in a circle, by whatever files and doors. Tests may use any part. */
export function partCircles(sources: Sources): string[] {
  const product = new Map([...sources].filter(([file]) => /^src\/[^/]+\//.test(file) && !isTest(file)))
  const partOf = (file: string): string => file.split('/').slice(0, 2).join('/')
  const between = importsOf(product).map(({ from, to }) => ({ from: partOf(from), to: partOf(to) }))
  return circlesOf(between.filter(({ from, to }) => from !== to && to.startsWith('src/')))
}

function circlesOf(edges: readonly { from: string; to: string }[]): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  return components(targets).flatMap((group) => {
    const [only] = group
    const isCircle = group.length > 1 || (only !== undefined && targets.get(only)?.has(only))
    return isCircle ? [group.toSorted().join(' <-> ')] : []
  })
}

/** Tarjan's strongly connected components. */
function components(targets: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const found: string[][] = []

  function walk(file: string): number {
    let low = order.size
    order.set(file, low)
    open.push(file)
    isOpen.add(file)
    const own = low
    for (const next of targets.get(file) ?? []) {
      const seen = order.get(next)
      if (seen === undefined) low = Math.min(low, walk(next))
      else if (isOpen.has(next)) low = Math.min(low, lowest.get(next) ?? seen)
    }
    lowest.set(file, low)
    if (low === own) {
      const group = open.splice(open.indexOf(file))
      for (const each of group) isOpen.delete(each)
      found.push(group)
    }
    return low
  }

  for (const file of targets.keys()) if (!order.has(file)) walk(file)
  return found
}
