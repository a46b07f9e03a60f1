import { marks } from './words-store.ts'

export interface Excerpt {
  text: string
  /** Positions of the query's words in it: from and up to, in UTF-16 units. */
  highlights: [number, number][]
}

const longest = 400

/** A marked piece of text as it is shown: on one line, with the places of the marks instead of the marks. */
export function toExcerpt(marked: string): Excerpt {
  let text = ''
  let start: number | undefined
  const highlights: [number, number][] = []
  for (const character of marked.replaceAll(/\s+/g, ' ').trim()) {
    if (text.length + character.length > longest) break
    if (character === marks.start) start = text.length
    else if (character === marks.end) {
      if (start !== undefined && text.length > start) highlights.push([start, text.length])
      start = undefined
    } else text += character
  }
  return { text, highlights }
}
