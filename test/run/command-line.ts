import { join } from 'node:path'

/** The name of the variable with the entry of the bundle (bundle.ts), which starts in a third of the time. */
export const bundleVariable = 'SIGNALBOX_TEST_BUNDLE'

/** What Node is given to run `signalbox`: the tree, or in a whole run the bundle that was made of it. */
export const commandLine = (): string =>
  process.env[bundleVariable] ?? join(import.meta.dirname, '../../src/cli/main.js')
