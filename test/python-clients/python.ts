import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Python {
  /** Runs the interpreter; throws where it does not end well. */
  run(args: string[], environment?: Record<string, string>, folder?: string): Promise<void>
  /** Runs a program given as text and returns what it printed. */
  read(source: string, environment: Record<string, string>): Promise<string>
}

/** A virtual environment with these packages. */
export async function makePython(folder: string, packages: readonly string[]): Promise<Python> {
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages])
  const python = join(folder, 'bin/python')
  return {
    run: (args, environment, cwd) => run(python, args, environment, cwd),
    async read(source, environment) {
      const env = { ...process.env, ...environment }
      return (await promisify(execFile)(python, ['-c', source], { env })).stdout
    },
  }
}

/** Without holding this process: the providers live in it. */
export async function run(
  program: string,
  args: string[],
  environment: Record<string, string> = {},
  cwd?: string,
): Promise<void> {
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    ...(cwd !== undefined && { cwd }),
  })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${status}`)
}
