#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Loaded modules are kept compiled, so later starts are quick; everything else is imported after this.
enableCompileCache()
const { runCommandLine } = await import('./run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
