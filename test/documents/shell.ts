/** One command of a shell script. */
export interface ShellCommand {
  text: string
  /** Without quotes; `NAME=value` in front of the program is in `variables`. */
  words: string[]
  variables: string[]
}

/** As much of the shell's grammar as our pages use: quotes, `$(…)`, comments, and what ends a command. */
const token =
  /\\\n|#[^\n]*|(?<end>\n|;|&&|\|\|?)|[^\S\n]+|(?<word>(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\$\([^)]*\)|\\[^\n]|[^\s;&|'"\\$]|\$(?!\()|&(?!&))+)/y

export function commandsOf(script: string): ShellCommand[] {
  const commands: ShellCommand[] = []
  let words: string[] = []
  let start = 0
  const finish = (end: number): void => {
    if (words.length > 0) commands.push(commandOf(script.slice(start, end).trim(), words))
    words = []
  }
  token.lastIndex = 0
  while (token.lastIndex < script.length) {
    const from = token.lastIndex
    const groups = token.exec(script)?.groups
    if (groups === undefined)
      throw new Error(`a page has shell that its test cannot read: ${script.slice(from)}`)
    if (groups['end'] !== undefined) {
      finish(from)
      start = token.lastIndex
    } else if (groups['word'] !== undefined) {
      if (words.length === 0) start = from
      words.push(groups['word'])
    }
  }
  finish(script.length)
  return commands
}

function commandOf(text: string, all: readonly string[]): ShellCommand {
  const first = all.findIndex((word) => !/^[A-Z_a-z][A-Z_a-z0-9]*=/.test(word))
  const program = first === -1 ? all.length : first
  const plain = (word: string): string => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2')
  return { text, variables: all.slice(0, program).map(plain), words: all.slice(program).map(plain) }
}
