/** Files that take long begin first, so that at the end of a run no core waits for one of them. */
const long = [
  'test/process.test.ts',
  'test/security/matrix/matrix.test.ts',
  'test/agent-runs/waiting.test.ts',
  'test/sample-part/sample-part.test.ts',
  'src/cli/cli.test.ts',
  'test/agent-runs/queue.test.ts',
  'test/agent-runs/killed.test.ts',
  'test/stop-signals.test.ts',
  'test/browser/run-pages.test.ts',
  'test/agent-runs/runs.test.ts',
]

export function longestFirst(files: readonly string[]): string[] {
  const present = new Set(files)
  const missing = long.filter((file) => !present.has(file))
  if (missing.length > 0) throw new Error(`test/run/order.ts names no file: ${missing.join(', ')}`)
  return [...long, ...files.filter((file) => !long.includes(file))]
}
