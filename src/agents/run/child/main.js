import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// As in src/cli/main.js: later starts find everything compiled.
enableCompileCache(join(import.meta.dirname, '../../../../node_modules/.cache/signalbox/compiled'))
await import('./work.ts')
