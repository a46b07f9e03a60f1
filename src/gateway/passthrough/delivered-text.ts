/** Events kept unread, in characters: enough that short responses are never read, little enough for many streams. */
const maxUnread = 64 * 1024

export interface DeliveredFormat {
  /** The text that the model wrote, in whole events with one character per byte. */
  textIn(events: string): string
  /** What `has` may be asked for. */
  readonly endPatterns?: readonly RegExp[]
}

/**
 * The text that a stream has delivered. Events are only kept; they are read when somebody asks, which happens when
 * the provider never reports how many tokens it used, or when too many have gathered.
 */
export class DeliveredText {
  readonly #format: DeliveredFormat
  readonly #found = new Set<RegExp>()
  #unread = ''
  /** The last events, where the end of a stream is found without joining everything unread. */
  #latest = ''
  #text = ''

  constructor(format: DeliveredFormat) {
    this.#format = format
  }

  add(events: string): void {
    this.#unread += events
    this.#latest = events
    if (this.#unread.length > maxUnread) this.#read()
  }

  get text(): string {
    this.#read()
    return this.#text
  }

  /** The number of the last event, where events are numbered; -1 where none is. */
  get lastNumber(): number {
    const numbers = this.#latest.matchAll(/"sequence_number"\s*:\s*(\d{1,9})/g)
    return Number([...numbers].at(-1)?.[1] ?? -1)
  }

  /** Whether a pattern of the format has been delivered. */
  has(pattern: RegExp): boolean {
    if (this.#found.has(pattern)) return true
    // Most streams end with what is looked for.
    const lastEvent = this.#latest.slice(this.#latest.lastIndexOf('\n\n', this.#latest.length - 3) + 1)
    return pattern.test(lastEvent) || pattern.test(this.#latest) || pattern.test(this.#unread)
  }

  #read(): void {
    for (const pattern of this.#format.endPatterns ?? []) if (this.has(pattern)) this.#found.add(pattern)
    this.#text += this.#format.textIn(this.#unread)
    this.#unread = ''
  }
}
