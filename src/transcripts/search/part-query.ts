import type { Query, Term } from '#kernel/words'
import { kindTerm, roleTerm, toolTerm, wordTerm } from './terms.ts'

/** A query in terms. Which messages really match, their texts decide. */
export interface PartQuery {
  alternatives: { all: number[]; none: number[] }[]
  /** Of each of these, a message has at least one. */
  marks: number[][]
}

export interface MessageMarks {
  roles: readonly number[]
  kinds: readonly number[]
  tools: readonly string[]
}

export function termsOf({ alternatives }: Query, { roles, kinds, tools }: MessageMarks): PartQuery {
  return {
    alternatives: alternatives.map((terms) => ({
      all: terms.filter(({ isExcluded }) => !isExcluded).flatMap(wordTerms),
      none: terms.filter(isExcludedWord).flatMap(wordTerms),
    })),
    marks: [roles.map(roleTerm), kinds.map(kindTerm), tools.map(toolTerm)].filter((any) => any.length > 0),
  }
}

/** A message may have the words of a phrase in another form or order, and not the phrase. */
const isExcludedWord = ({ isExcluded, words }: Term): boolean =>
  isExcluded && words.length === 1 && words[0]?.exact === null

const wordTerms = ({ words }: Term): number[] => words.map(({ lexeme }) => wordTerm(lexeme))

export const allTerms = ({ alternatives, marks }: PartQuery): number[] => [
  ...new Set([...alternatives.flatMap(({ all, none }) => [...all, ...none]), ...marks.flat()]),
]

/** The messages of a part that may match, the newest first. */
export function findMessages(
  query: PartQuery,
  messages: number,
  listOf: (term: number) => readonly number[],
): readonly number[] {
  const marked = query.marks.map((any) => union(any.map(listOf)))
  const found = query.alternatives.map(({ all, none }) => {
    const lists = [...all.map(listOf), ...marked].toSorted((a, b) => a.length - b.length)
    const start = lists[0] ?? Array.from({ length: messages }, (_, number) => number)
    const kept = lists.slice(1).reduce((left, list) => intersection(left, list), start)
    return none.reduce((left, term) => difference(left, listOf(term)), kept)
  })
  return union(found)
}

function union(lists: readonly (readonly number[])[]): readonly number[] {
  const [only = [], ...others] = lists
  if (others.length === 0) return only
  return [...new Set(lists.flat())].toSorted((a, b) => a - b)
}

function intersection(left: readonly number[], right: readonly number[]): readonly number[] {
  if (left.length === 0) return left
  const has = new Set(right)
  return left.filter((each) => has.has(each))
}

function difference(left: readonly number[], right: readonly number[]): readonly number[] {
  if (left.length === 0 || right.length === 0) return left
  const has = new Set(right)
  return left.filter((each) => !has.has(each))
}
