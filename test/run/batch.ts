import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { auditVariable } from '../harness/rounds.ts'
import { startSharing } from './at-end.ts'
import { reportTimes } from './processor-time.ts'
import { startFromBundle } from './start-from-bundle.ts'

/**
 * The process of some test files: one after the other, each as a test that holds its own tests and hooks. What a file
 * has started has ended before the next one is loaded.
 */
startFromBundle()
const end = startSharing()
/**
 * Of one file; its tests have it too. Where nothing else runs the longest takes two minutes. The files after one that
 * hangs still run, and it is tried again alone.
 */
const fileLimit = 420_000
const isByHand = process.env[auditVariable] !== undefined
for (const file of process.argv.slice(2)) {
  const report = reportTimes(file)
  const timeout = isByHand || file.endsWith('.check.ts') ? Infinity : fileLimit
  await test(file, { timeout }, async () => {
    await import(pathToFileURL(file).href)
  })
  report()
}
await end()
// What a failed test has left running must not keep its process until the limit.
setTimeout(() => {
  console.error(`${process.argv.slice(2).join(', ')}: something still runs after the last test.`)
  process.exit(1)
}, 180_000).unref()
