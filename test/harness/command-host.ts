import { runCommandLine } from '../../src/cli/run.ts'

/** Runs commands one after the other in this process, each with its own environment; see commands.ts. */

export interface Asked {
  args: string[]
  environment: Record<string, string>
}

type Name = 'stdout' | 'stderr'
const written: Record<Name, string> = { stdout: '', stderr: '' }

function keep(name: Name): void {
  process[name].write = ((chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = rest.find((each) => typeof each === 'function')
    if (done) queueMicrotask(done as () => void)
    return true
  }) as typeof process.stdout.write
}

keep('stdout')
keep('stderr')
// Each command listens for signals.
process.setMaxListeners(0)

async function run({ args, environment }: Asked): Promise<void> {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  const code = await runCommandLine(args)
  process.send?.({ code, ...written })
  written.stdout = ''
  written.stderr = ''
}

process.on('message', (asked: Asked) => void run(asked))
