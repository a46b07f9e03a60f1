import { setImmediate as nextTurn } from 'node:timers/promises'
import { wordVector } from '#kernel/words'
import type { NewEvent } from './event.ts'
import { facetMarks } from './filter.ts'
import { mapInTurns } from './in-turns.ts'

/**
 * Makes the words by which events are found. The calls of a group get theirs one after another, so that the first is
 * stored while those behind it get theirs.
 */
export class WordMaker {
  readonly #newest = new Map<string, Promise<unknown>>()
  /** Events of calls that wait for their words. */
  waiting = 0

  wordsOf(groupId: string, events: readonly NewEvent[]): Promise<Buffer[]> {
    const before = this.#newest.get(groupId)
    const words = before === undefined ? wordsOf(events) : before.then(() => wordsOf(events))
    const ended = words.then(nextTurn, nextTurn)
    this.#newest.set(groupId, ended)
    this.waiting += events.length
    void ended.finally(() => this.#newest.get(groupId) === ended && this.#newest.delete(groupId))
    return words.finally(() => (this.waiting -= events.length))
  }

  /** Resolves when no call waits for its words. */
  async ended(): Promise<void> {
    while (this.#newest.size > 0) await Promise.all(this.#newest.values())
  }
}

export const wordsOf = (events: readonly NewEvent[]): Promise<Buffer[]> => mapInTurns(events, wordsOfOne)

function wordsOfOne(event: NewEvent): Buffer {
  const texts = [
    { text: event.title, isTitle: true },
    { text: event.message, isTitle: false },
  ]
  return wordVector(texts, facetMarks(event))
}
