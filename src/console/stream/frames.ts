import { eventFrame } from '#kernel/http'
import type { StreamGap } from '../contract.ts'
import { toJson, type StoredEvent } from '../event.ts'
import { matches, type EventFilter } from '../filter.ts'

/** An event as the stream sends it. */
export const frameOf = (event: StoredEvent): string => eventFrame(event.sequence, event.type, toJson(event))

/** The id lets a client that reconnects continue behind the gap. */
export const gapFrame = (gap: StreamGap): string => eventFrame(gap.to, 'gap', gap)

/** Moves the client's last id without an event, so that it resumes from there. */
export function positionFrame(comment: string, position: number): string {
  return `: ${comment}\nid: ${position}\n\n`
}

/** Events that are delivered together; readers with the same filter share the text. */
export class Batch {
  readonly #events: readonly StoredEvent[]
  readonly #frames = new Map<StoredEvent, string>()
  readonly #texts = new Map<string, string>()

  constructor(events: readonly StoredEvent[]) {
    this.#events = events
  }

  textFor(filter: EventFilter, filterKey: string): string {
    const known = this.#texts.get(filterKey)
    if (known !== undefined) return known
    const text = this.#events
      .filter((event) => matches(filter, event))
      .map((event) => this.#frame(event))
      .join('')
    this.#texts.set(filterKey, text)
    return text
  }

  #frame(event: StoredEvent): string {
    const known = this.#frames.get(event)
    if (known !== undefined) return known
    const frame = frameOf(event)
    this.#frames.set(event, frame)
    return frame
  }
}
