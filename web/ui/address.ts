import { isDay } from './days.ts'

/** The search parameters of a page, as the router parses them. */
export type Search = Record<string, unknown>

/** Reads one parameter; undefined if it is not valid, and then it is dropped. */
type Reader<Value> = (given: unknown) => Value | undefined

export type AddressOf<Read extends (search: Search) => object> = ReturnType<Read>

/** Reads the parameters of a page: each by its reader, those that are not named here are dropped. */
export const addressReader =
  <Readers extends Record<string, Reader<unknown>>>(readers: Readers) =>
  (search: Search) => {
    const found = Object.entries(readers).flatMap(([name, read]) => {
      const value = read(search[name])
      return value === undefined ? [] : [[name, value]]
    })
    return Object.fromEntries(found) as {
      [Name in keyof Readers]?: NonNullable<ReturnType<Readers[Name]>>
    }
  }

/** A text. The router parses 42 as a number; a service or a model may be named so. */
export function text(given: unknown): string | undefined {
  const found = ['string', 'number', 'boolean'].includes(typeof given) ? String(given) : ''
  return found.trim() === '' ? undefined : found
}

/** A text that is not typed into a field: without the space around it. */
export const trimmed = (given: unknown): string | undefined => text(given)?.trim()

export const matching =
  (pattern: RegExp) =>
  (given: unknown): string | undefined =>
    typeof given === 'string' && pattern.test(given) ? given : undefined

export const day = (given: unknown): string | undefined => (isDay(given) ? given : undefined)

/** A point in time, in ISO 8601. */
export const time = (given: unknown): string | undefined =>
  Number.isNaN(Date.parse(matching(/^\d{4}-\d\d-\d\dT/)(given) ?? '')) ? undefined : (given as string)

/** A switch that is on, such as an open form. */
export const on = (given: unknown): true | undefined => (given === true ? true : undefined)

/** One of several words. */
export const word =
  <const Word extends string>(words: readonly Word[]) =>
  (given: unknown): Word | undefined =>
    words.find((each) => each === given)

/** One or more of several words, separated by commas. */
export const wordList =
  (words: readonly string[]) =>
  (given: unknown): string | undefined =>
    text(given)
      ?.split(',')
      .filter((each) => words.includes(each))
      .join(',') || undefined
