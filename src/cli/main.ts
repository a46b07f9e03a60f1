#!/usr/bin/env -S node --max-semi-space-size=16
import { enableCompileCache } from 'node:module'
import { holdYoungHeap } from './young-heap.ts'

// Loaded modules are kept compiled, so later starts are quick; everything else is imported after this.
enableCompileCache()
holdYoungHeap()
const { runCommandLine } = await import('./run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
