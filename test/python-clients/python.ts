import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export interface Python {
  /** Runs the interpreter; throws where it does not end well. */
  run(args: string[], environment?: Record<string, string>, folder?: string): void
}

/** A virtual environment with these packages. */
export function makePython(folder: string, packages: readonly string[]): Python {
  run('python3', ['-m', 'venv', folder])
  run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages])
  return { run: (args, environment, cwd) => run(join(folder, 'bin/python'), args, environment, cwd) }
}

function run(
  program: string,
  args: string[],
  environment: Record<string, string> = {},
  cwd?: string,
): void {
  const { status, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    ...(cwd !== undefined && { cwd }),
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? status}`)
}
