import type pg from 'pg'
import { BoundedCache } from '#kernel/cache'

/** What a word may mean that was typed in part or wrongly: words of titles that begin with it, or nearly are it. */

const maxTitles = 20_000
const maxKnown = 50_000
const keptMs = 300_000
const maxMeanings = 4
/** Lengths from which a word is completed, and taken for another one with one or two differences. */
const shortest = { completed: 3, oneDifference: 4, twoDifferences: 8 }

interface Titles {
  /** The words, those in most titles first. */
  words: string[]
  until: number
}

export function createSpelling(pool: pg.Pool) {
  const known = new BoundedCache<string, Titles>('search words of titles', 20)

  async function wordsOf(groupId: string): Promise<string[]> {
    const kept = known.get(groupId)
    if (kept && kept.until > performance.now()) return kept.words
    const words = await selectTitleWords(pool, groupId)
    known.set(groupId, { words, until: performance.now() + keptMs })
    return words
  }

  /** Each word with what it may mean besides; a word of a title means itself. */
  return async (groupId: string, words: readonly string[]): Promise<string[][]> => {
    const titles = await wordsOf(groupId)
    const present = new Set(titles)
    return words.map((word) => (present.has(word) ? [word] : [word, ...meaningsOf(word, titles)]))
  }
}

export function meaningsOf(word: string, titles: readonly string[]): string[] {
  const allowed = word.length >= shortest.twoDifferences ? 2 : word.length >= shortest.oneDifference ? 1 : 0
  return titles
    .flatMap((title) => {
      const isBeginning = word.length >= shortest.completed && title.startsWith(word)
      // Nearly nobody mistypes the first letter.
      const isNear = title[0] === word[0] && Math.abs(title.length - word.length) <= allowed
      const far = isBeginning ? 0 : isNear ? differences(word, title) : Infinity
      return far <= allowed ? [{ title, far }] : []
    })
    .toSorted((a, b) => a.far - b.far)
    .slice(0, maxMeanings)
    .map(({ title }) => title)
}

/** How many letters are missing, added, replaced or exchanged with the next one. */
export function differences(one: string, other: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (beforeLast?.[column - 2] ?? Infinity) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return last?.[other.length] ?? 0
}

async function selectTitleWords(pool: pg.Pool, groupId: string): Promise<string[]> {
  const titles = `
    select to_tsvector('simple', title) from (
      select title from search.documents where group_id = '${asUuid(groupId)}' or group_id is null
      order by at desc limit ${maxTitles}
    ) as newest`
  const { rows } = await pool.query<{ word: string }>(
    `select word from ts_stat($1) where word ~ '^[^-+./]{3,40}$' order by ndoc desc, word limit $2`,
    [titles, maxKnown],
  )
  return rows.map(({ word }) => word)
}

/** Part of a statement in a statement, which takes no parameters. */
function asUuid(id: string): string {
  if (!/^[\da-f-]{36}$/i.test(id)) throw new TypeError('A group has a UUID')
  return id
}
