/** What a character is to the tokenizer: part of a word, a gap, a token of its own, or nothing at all. */
export type Kind = 'word' | 'gap' | 'alone' | 'nothing'

interface Folded {
  kind: Kind
  text: string
}

const asciiKinds = Array.from({ length: 128 }, (_, code): Kind => {
  if (code === 9 || code === 10 || code === 13 || code === 32) return 'gap'
  if (code < 32 || code === 127) return 'nothing'
  return /[a-z0-9]/i.test(String.fromCharCode(code)) ? 'word' : 'alone'
})

/** Undefined when the code is not ASCII. */
export function kindOfAscii(code: number): Kind | undefined {
  return asciiKinds[code]
}

const remembered = new Map<number, readonly Folded[]>()
const maxRemembered = 5_000

/** One character without accents and in lower case. It can come apart: ≠ is an equals sign with a stroke. */
export function foldCharacter(code: number): readonly Folded[] {
  const known = remembered.get(code)
  if (known) return known
  const folded = fold(code)
  if (remembered.size >= maxRemembered) remembered.clear()
  remembered.set(code, folded)
  return folded
}

function fold(code: number): readonly Folded[] {
  const character = String.fromCodePoint(code)
  if (code === 0xfffd || /\p{C}/u.test(character)) return []
  const parts = character.normalize('NFD').replace(/\p{Mn}/gu, '')
  return Array.from(parts.toLowerCase(), (text) => ({ kind: kindOf(text), text }))
}

function kindOf(text: string): Kind {
  const code = text.codePointAt(0) ?? 0
  const kind = kindOfAscii(code)
  if (kind) return kind
  if (/\p{Z}/u.test(text)) return 'gap'
  return isChinese(code) || /\p{P}/u.test(text) ? 'alone' : 'word'
}

const chinese: readonly (readonly [number, number])[] = [
  [0x4e00, 0x9fff],
  [0x3400, 0x4dbf],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b820, 0x2ceaf],
  [0xf900, 0xfaff],
  [0x2f800, 0x2fa1f],
]

/** The ideographs that BERT takes one by one; kana and hangul are words like any other script. */
const isChinese = (code: number): boolean => chinese.some(([from, to]) => code >= from && code <= to)
