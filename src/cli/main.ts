#!/usr/bin/env -S node --max-semi-space-size=16
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { holdHeap } from './heap.ts'

// Loaded modules are kept compiled, so later starts are quick; everything else is imported after this. By default they
// would lie in the system's temporary folder, where another user could have put theirs.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/signalbox/compiled'))
holdHeap()
const { runCommandLine } = await import('./run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
