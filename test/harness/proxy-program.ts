import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { waitFor } from './wait.ts'

/** Runs a proxy until the tests of the file are over; returns its address when a replica answers through it. */
export async function startProxyProgram(
  program: string,
  args: readonly string[],
  port: number,
  options: SpawnOptions,
): Promise<string> {
  const child = spawn(program, args, options)
  after(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  await waitFor(program, () =>
    fetch(`${url}/livez`).then(
      (response) => response.ok,
      () => false,
    ),
  )
  return url
}
