import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a client would rather have a page than JSON, by the weights of its Accept header: browsers that navigate or
 * send a form would, scripts and clients would not.
 */
export function prefersPage({ accept = '' }: IncomingHttpHeaders): boolean {
  const ranges = rangesOf(accept)
  return weightOf(ranges, 'text/html') > weightOf(ranges, 'application/json')
}

interface MediaRange {
  type: string
  weight: number
}

/** More ranges than any client sends are not read. */
const maxRanges = 50

function rangesOf(accept: string): MediaRange[] {
  return accept
    .split(',', maxRanges)
    .map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
    .map(([type = '', ...parameters]) => {
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1'
      return { type, weight: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 }
    })
}

/** The most specific range that matches counts, whatever its place. */
function weightOf(ranges: readonly MediaRange[], type: string): number {
  const matching = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const wanted of matching) {
    const found = ranges.find((range) => range.type === wanted)
    if (found) return found.weight
  }
  return 0
}
