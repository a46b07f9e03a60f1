import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// As in src/cli/main.js: it is started for nearly every run, and most of a start would be compiling.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/signalbox/compiled'))
await import('./tool-server.ts')
// At once, because a run that ends kills it.
flushCompileCache()
