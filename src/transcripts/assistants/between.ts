/** The text between an opening and the next closing mark; one expression for both would be slow where there is no end. */
export function between(text: string, opening: RegExp, closing: string): string | undefined {
  const open = opening.exec(text)
  if (open === null) return undefined
  const from = open.index + open[0].length
  const to = text.indexOf(closing, from)
  return to === -1 ? undefined : text.slice(from, to)
}
