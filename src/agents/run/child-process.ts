import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStorable, storable } from '#kernel/db'
import { endTree, markName } from './process-tree.ts'
import { fromChild, maxLine, type FromChild, type ToChild } from './protocol.ts'
import { RunFault } from './run-fault.ts'

const entry = join(import.meta.dirname, 'child/main.js')
/** Enough for a conversation of a million tokens; a tool server that floods it ends this process and not the server. */
const heapMegabytes = 256
const maxOutput = 256 * 1024 * 1024
const graceMs = 2_000

/** The process of a run, seen from the server. */
export interface RunProcess {
  readonly pid: number | undefined
  send(message: ToChild): void
  /** What it says, as fast as it is read. Ends with its output. */
  messages(): AsyncGenerator<FromChild, void>
  /** At once. What it had to say is lost. */
  kill(): void
  /** Gives it a moment to end on its own; then neither it nor anything that it started is there any more. */
  end(): Promise<void>
}

/** It gets nothing of the server's environment but where programs and the home folder are. */
export function startProcess(runId: string, inherited: Record<string, string>): RunProcess {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=4', entry],
    {
      cwd: tmpdir(),
      env: { ...inherited, [markName]: runId },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    },
  )
  // Its end is noticed by the end of its output.
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  const ended = child.pid === undefined ? Promise.resolve() : once(child, 'exit')
  return {
    pid: child.pid,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    messages: () => readMessages(child),
    kill() {
      // What it has sent and nobody has read yet may be a lot.
      child.stdout.destroy()
      void endTree(child.pid, runId)
    },
    async end() {
      await Promise.race([ended, sleep(graceMs)])
      child.stdin.destroy()
      await endTree(child.pid, runId)
      await ended
    },
  }
}

async function* readMessages(child: ChildProcess): AsyncGenerator<FromChild, void> {
  if (!child.stdout) return
  for await (const line of readLines(child.stdout)) yield parse(line)
}

async function* readLines(output: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let parts: Buffer[] = []
  let [length, total] = [0, 0]
  for await (const chunk of output) {
    total += chunk.length
    if (total > maxOutput) throw broken('more output than a run may have')
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString()
      parts = []
      length = 0
      from = end + 1
    }
    parts.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > maxLine) throw broken('a message that is too long')
  }
}

function parse(line: string): FromChild {
  let value: unknown
  try {
    value = JSON.parse(line)
    if (!isStorable(line)) value = storable(value)
  } catch {
    throw broken('something that is not a message')
  }
  const { success, data } = fromChild.safeParse(value)
  if (!success) throw broken('a message that is not valid')
  return data
}

const broken = (what: string): RunFault =>
  new RunFault('process_output', `The process of the run sent ${what}.`)
