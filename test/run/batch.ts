import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startSharing } from './at-end.ts'
import { reportTimes } from './processor-time.ts'
import { startFromBundle } from './start-from-bundle.ts'

/**
 * The process of some test files: one after the other, each as a test that holds its own tests and hooks. What a file
 * has started has ended before the next one is loaded.
 */
startFromBundle()
const end = startSharing()
for (const file of process.argv.slice(2)) {
  const report = reportTimes(file)
  await test(file, async () => {
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
