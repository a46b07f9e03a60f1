import { isDeepStrictEqual } from 'node:util'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { append, largePath, turnLines } from './corpus.ts'
import { rowsOf, type Archive } from './rows.ts'
import { startWatch, watchOnce } from './watch-process.ts'

export interface KillVerdict {
  rounds: number
  sessions: number
  messages: number
  /** Sessions whose rows differ from those of an undisturbed import. */
  different: string[]
}

export interface KillOptions {
  rounds: number
  /** Where files lie already; one session grows in it while the watcher is killed. */
  home: string
  killed: Archive
  undisturbed: Archive
  turnsPerRound: number
  report?(round: number): void
}

/**
 * Starts a watcher, kills it with SIGKILL at a random moment while a session grows, and so on; then imports what is
 * left. Another archive gets everything in one import: both must show the same rows.
 */
export async function killRounds(options: KillOptions): Promise<KillVerdict> {
  const { rounds, home, killed, undisturbed, turnsPerRound } = options
  let turn = 0
  for (let round = 1; round <= rounds; round++) {
    const watcher = startWatch(killed, home)
    watcher.stdout?.resume()
    const ended = once(watcher, 'exit')
    const lines = Array.from({ length: turnsPerRound }, () => turnLines(turn++)).flat()
    const grown = grow(home, `${lines.join('\n')}\n`)
    await wait(400 + Math.random() * 1_200)
    watcher.kill('SIGKILL')
    await ended
    await grown
    options.report?.(round)
  }
  await watchOnce(killed, home)
  await watchOnce(undisturbed, home)
  const [left, right] = [await rowsOf(killed), await rowsOf(undisturbed)]
  return {
    rounds,
    sessions: right.length,
    messages: right.reduce((sum, row) => sum + (row['messages'] as unknown[]).length, 0),
    different: differences(left, right),
  }
}

/** Appends in random pieces, most of which end within a line. */
async function grow(home: string, text: string): Promise<void> {
  for (let from = 0; from < text.length;) {
    const to = from + 1 + Math.floor((Math.random() * text.length) / 10)
    append(home, largePath, text.slice(from, to))
    from = to
    await wait(20)
  }
}

function differences(left: Record<string, unknown>[], right: Record<string, unknown>[]): string[] {
  if (left.length !== right.length) return [`${left.length} sessions instead of ${right.length}`]
  return right.flatMap((row, index) => {
    const other = left[index] ?? {}
    const fields = Object.keys(row).filter((field) => !isDeepStrictEqual(row[field], other[field]))
    return fields.length === 0 ? [] : [`${String(row['external_id'])}: ${fields.join(', ')}`]
  })
}
