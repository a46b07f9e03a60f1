import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Asked } from './command-host.ts'
import { environmentOf, type Finished } from './process.ts'

/**
 * Runs commands as `runCommand` does, but all of them in one process, because loading the product takes far longer
 * than most commands. Their process ends when the file's tests are over, on its own, unless a command has
 * left something open.
 */
export function startCommands(): (args: string[], environment?: Record<string, string>) => Promise<Finished> {
  const host = fork(join(import.meta.dirname, 'command-host.ts'), { execArgv: [], env: environmentOf({}) })
  const ended = once(host, 'exit')
  // One after the other: they share the output of the process.
  let last: Promise<unknown> = Promise.resolve()
  after(async () => {
    host.disconnect()
    const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null]
    if (code !== 0) throw new Error(`the process of the commands ended with ${code ?? signal}`)
  })
  const ask = async (asked: Asked): Promise<Finished> => {
    const [finished] = await Promise.race([
      once(host, 'message'),
      ended.then(() =>
        Promise.reject(new Error(`the process of the commands ended in ${asked.args.join(' ')}`)),
      ),
    ])
    return finished as Finished
  }
  return (args, environment = {}) => {
    const next = last.then(() => {
      const asked = { args, environment: environmentOf(environment) }
      const answer = ask(asked)
      host.send(asked)
      return answer
    })
    last = next.catch(() => undefined)
    return next
  }
}
