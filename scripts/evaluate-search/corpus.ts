import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFillers } from './fillers.ts'
import { thing, type Thing } from './thing.ts'

/*
 * Things as teams have them, and 200 queries with the thing that is wanted. Titles, texts and what is asked in other
 * words were written by hand, before the ranking was changed; a query about a title is made from it.
 */

export interface Query {
  way: string
  text: string
  /** The index of the thing that is wanted. */
  wanted: number
}

const wanted = z
  .array(thing)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'things.json'), 'utf8')))

/** The wanted things come first. */
export const things: readonly Thing[] = [
  ...wanted,
  ...makeFillers(
    createRandom(7),
    wanted.map(({ title }) => title),
  ),
]

const ways = [
  ...['exact title', 'title in another order', 'one or two words of the title', 'words of the body'],
  ...['in other words', 'typo or plural', 'name or number', 'person and topic'],
] as const
const ofEachWay = 25

export function makeQueries(): Query[] {
  const below = createRandom(11)
  const texts: Record<string, (thing: Thing) => string | undefined> = {
    'exact title': ({ title }) => title,
    'title in another order': ({ title }) => reordered(title, below),
    'one or two words of the title': ({ title }) => ownWords(title),
    'words of the body': ({ ask }) => ask.words,
    'in other words': ({ ask }) => ask.other,
    'typo or plural': ({ title }) => misspelled(title, below),
    'name or number': ({ ask }) => ask.id,
    'person and topic': ({ ask }) => ask.who,
  }
  return ways.flatMap((way) => {
    const possible = wanted.flatMap((each, index) => {
      const text = texts[way]?.(each)
      return text === undefined ? [] : [{ way, text, wanted: index }]
    })
    return spread(possible, ofEachWay)
  })
}

function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length < count) throw new Error(`${items.length} queries, not ${count}`)
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as T)
}

const small = new Set(
  'a an and are at be by for from in into is it its of on one or that the to with'.split(' '),
)
const wordsOf = (title: string): string[] =>
  title.split(/[\s:]+/).filter((word) => word !== '' && !small.has(word.toLowerCase()))

/** Up to four words of a title that matter, as somebody remembers them. */
function reordered(title: string, below: (limit: number) => number): string | undefined {
  const words = wordsOf(title).slice(0, 4)
  if (words.length < 3) return undefined
  const first = 1 + below(words.length - 1)
  return [...words.slice(first), ...words.slice(0, first)].join(' ').toLowerCase()
}

/** The first one or two words that no other title has; the texts of others may have them. */
function ownWords(title: string): string | undefined {
  const others = new Set(
    things.filter((other) => other.title !== title).flatMap((other) => wordsOf(other.title.toLowerCase())),
  )
  const own = wordsOf(title.toLowerCase()).filter((word) => /^[a-z]{4,}$/.test(word) && !others.has(word))
  return own.length === 0 ? undefined : own.slice(0, 1 + (title.length % 2)).join(' ')
}

/** Up to three words of a title: the longest has two letters exchanged or one left out, or is in the plural. */
function misspelled(title: string, below: (limit: number) => number): string | undefined {
  const words = wordsOf(title).slice(0, 3)
  const longest = words.reduce((long, word) => (word.length > long.length ? word : long), '')
  if (longest.length < 6 || !/^[A-Za-z]+$/.test(longest)) return undefined
  const at = 2 + below(longest.length - 4)
  const [before, a, b] = [longest.slice(0, at), longest.charAt(at), longest.charAt(at + 1)]
  const wrong = [`${before}${b}${a}${longest.slice(at + 2)}`, before + longest.slice(at + 1), plural(longest)]
  return words
    .map((word) => (word === longest ? wrong[below(wrong.length)] : word))
    .join(' ')
    .toLowerCase()
}

const plural = (word: string): string => (word.endsWith('s') ? word.slice(0, -1) : `${word}s`)

/** The same numbers in every run. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
