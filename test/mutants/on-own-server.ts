import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startTestRun } from '../harness/server.ts'

/** Runs Node on a database server of its own, which this tree migrates: for mutants of migrations. */
const server = await startTestRun()
const child = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' })
const [code] = (await once(child, 'close')) as [number | null]
await server.stop()
process.exitCode = code ?? 1
