import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * What is loaded at a start lives as long as the process, so a young generation that grew for it would only stay
 * large: tens of megabytes in a process at rest.
 */
export function holdHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * From the moment on when requests come, the young generation may grow up to the --max-semi-space-size that the
 * process is started with: by default V8 takes twice as much. The old one is collected when it is half as large
 * again as the live data: by default V8 lets it grow up to four times and never returns the pages.
 */
export function releaseHeap(): void {
  collectGarbage()
  setFlagsFromString('--semi-space-growth-factor=2')
  setFlagsFromString('--heap-growing-percent=50')
}

/** What only the start needed is given back at once: a process at rest would keep it, 12 MB, for hours. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
  collect({ type: 'major', flavor: 'last-resort' })
}
