/** What the database can hold: no NUL and no half of a character, and no more than a limit. */

export const maxContent = 256 * 1024
const maxInputString = 32 * 1024

export function clean(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? text.slice(0, maxLength) : text
  return (cut.includes('\0') ? cut.replaceAll('\0', '') : cut).toWellFormed()
}

export function cleanOrNull(text: string | undefined, maxLength: number): string | null {
  return text === undefined ? null : clean(text, maxLength)
}

export interface StoredInput {
  text: string
  isCut: boolean
}

/** JSON is written by functions that call themselves for each level, and has to be written again to be shown. */
const maxLevels = 500
const tooDeep: StoredInput = { text: JSON.stringify('(nested too deeply to be shown)'), isCut: true }

/** The input of a tool as JSON. One that is too long keeps its fields, with long strings cut. */
export function storedInput(input: unknown): StoredInput {
  if (isDeeper(input, maxLevels)) return tooDeep
  const text = toJson(input)
  if (text.length <= maxContent) return { text, isCut: false }
  const shorter = toJson(input, (_name, value: unknown) =>
    typeof value === 'string' && value.length > maxInputString ? value.slice(0, maxInputString) : value,
  )
  if (shorter.length <= maxContent) return { text: shorter, isCut: true }
  return { text: JSON.stringify(clean(shorter, maxContent)), isCut: true }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}

/** JSON writes NUL and halves of characters as escapes; PostgreSQL keeps those as text. */
function toJson(input: unknown, replace?: (name: string, value: unknown) => unknown): string {
  return (JSON.stringify(input, replace) ?? 'null').toWellFormed()
}

/** A part of a file that was never written is read as NUL, which no request may contain. */
export function withoutNul(line: string): string {
  return line.includes('\0') ? line.replaceAll('\0', '\ufffd') : line
}
