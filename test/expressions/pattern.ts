/*
 * A small reader of regular expressions: only as much as is needed to make texts that an expression nearly matches.
 */

/** One thing to match, as texts that it matches, and whether it may repeat without a limit. */
export interface Piece {
  samples: string[]
  repeats: boolean
}

const pool = Array.from('aA0 -_./\\"\':=@#\n\t<>&+,;()[]{}|$%*?!~^`éxkst1fbn\u0000')

/** The alternatives of a pattern, each a row of pieces; groups are one piece of their own alternatives. */
export function readPattern(source: string, flags: string): Piece[][] {
  const reader = new Reader(source, flags.replaceAll(/[gyd]/g, ''))
  return reader.alternatives()
}

class Reader {
  readonly #source: string
  readonly #flags: string
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags
  }

  alternatives(): Piece[][] {
    const rows: Piece[][] = [[]]
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at++
        rows.push([])
        continue
      }
      const samples = this.#atom()
      const repeats = this.#quantifier()
      if (samples.length > 0) rows.at(-1)?.push({ samples, repeats })
    }
    return rows
  }

  #atom(): string[] {
    const rest = this.#source.slice(this.#at)
    if (rest.startsWith('(')) return this.#group(rest)
    const [text = rest[0] ?? ''] =
      /^\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|k<[^>]*>|[^])/.exec(rest) ?? []
    if (text.startsWith('[')) return this.#members(classAt(rest))
    this.#at += text.length
    if (text === '^' || text === '$' || /^\\(?:[bB]|k|[1-9])/.test(text)) return []
    return text.length === 1 && text !== '.' ? [text] : this.#samplesOf(text)
  }

  #members(text: string): string[] {
    this.#at += text.length
    return this.#samplesOf(text)
  }

  #samplesOf(text: string): string[] {
    const one = new RegExp(`^${text}$`, this.#flags)
    const own = text.replaceAll(/[[\]\\^]/g, '')
    return [...new Set([...Array.from(own), ...pool])].filter((each) => one.test(each)).slice(0, 60)
  }

  #group(rest: string): string[] {
    const [opening = '('] = /^\((?:\?(?:<?[=!]|:|<[^>]*>|[a-z-]+:))?/.exec(rest) ?? []
    this.#at += opening.length
    const rows = this.alternatives()
    this.#at++
    if (/^\(\?<?!/.test(opening)) return []
    return rows.slice(0, 12).map((row) => row.map(({ samples }) => samples[0] ?? '').join(''))
  }

  #quantifier(): boolean {
    const [text = ''] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at)) ?? []
    this.#at += text.length
    return /^[*+]|,\}/.test(text)
  }
}

function classAt(rest: string): string {
  const [text = '['] = /^\[\^?\]?(?:\\[^]|[^\]\\])*\]/.exec(rest) ?? []
  return text
}
