#!/usr/bin/env -S node --max-semi-space-size=16
import { enableCompileCache } from 'node:module'
import { holdHeap } from './heap.ts'

// Loaded modules are kept compiled, so later starts are quick; everything else is imported after this.
enableCompileCache()
holdHeap()
const { runCommandLine } = await import('./run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
