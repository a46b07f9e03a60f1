#!/usr/bin/env -S node --max-semi-space-size=16
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Loaded modules are kept compiled, so later starts are quick; everything else is imported after this. By default they
// would lie in the system's temporary folder, where another user could have put theirs. This file is JavaScript, so
// that a start that finds everything compiled does not load the compiler of TypeScript, which takes 15 MB.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/signalbox/compiled'))
const { holdHeap } = await import('./heap.ts')
holdHeap()
const { runCommandLine } = await import('./run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
