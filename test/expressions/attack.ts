import { createContext, Script } from 'node:vm'
import { readPattern, type Piece } from './pattern.ts'

/** Quadratic time over this length is far above the limit; linear time, also with a large factor, is far below. */
const length = 20_000
const limitMs = 60

export interface Expression {
  source: string
  flags: string
}

/** The first text that the expression takes too long for, shortened, or undefined where its time is linear. */
export function slowText(expression: Expression): string | undefined {
  const run = runner(expression)
  for (const { unit, before, after } of attacks(expression)) {
    const text = before + unit.repeat(Math.ceil(length / unit.length)) + after
    if (isSlow(() => run(text))) return `${before}(${unit})*${after}`
  }
  return undefined
}

/** Slow three times, by the time of this thread: neither a busy machine nor other threads make it so. */
function isSlow(run: () => void): boolean {
  return [1, 2, 3].every(() => {
    const before = process.threadCpuUsage()
    run()
    return process.threadCpuUsage(before).user / 1_000 > limitMs
  })
}

/** Matches as a replacement does, everywhere in the text, and is ended where its time is exponential. */
function runner({ source, flags }: Expression): (text: string) => void {
  const context = createContext({
    expression: new RegExp(source, flags.replaceAll(/[gy]/g, '') + 'g'),
    text: '',
  })
  const script = new Script('expression.lastIndex = 0; text.replace(expression, "")')
  return (text) => {
    context['text'] = text
    try {
      script.runInContext(context, { timeout: 500 })
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    }
  }
}

interface Attack {
  before: string
  unit: string
  after: string
}

/** What repeats, repeated: alone, behind what has to be before it, and together with that. */
export function attacks({ source, flags }: Expression): Attack[] {
  const found = new Map<string, Attack>()
  const add = (before: string, unit: string): void => {
    for (const after of ['', '\u0000', '\n"'])
      if (unit !== '') found.set(JSON.stringify([before, unit, after]), { before, unit, after })
  }
  for (const row of readPattern(source, flags)) addRow(row, add)
  return [...found.values()]
}

function addRow(row: Piece[], add: (before: string, unit: string) => void): void {
  const first = row.map(({ samples }) => samples[0] ?? '')
  add('', first.join(''))
  row.forEach((piece, index) => {
    const before = first.slice(0, index).join('')
    if (piece.repeats)
      for (const sample of ranked(piece, row)) {
        add('', sample)
        add(before, sample)
        add('', before + sample)
      }
    if (index > 0) add('', before)
  })
}

/** The characters that most pieces of the row match are the ones to go back over. */
function ranked({ samples }: Piece, row: Piece[]): string[] {
  const count = (sample: string): number => row.filter((piece) => piece.samples.includes(sample)).length
  return samples.toSorted((a, b) => count(b) - count(a)).slice(0, 5)
}
