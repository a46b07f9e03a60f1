/** An event of a Messages stream, named as its data is typed. */
export function toEvent(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Writes content blocks one after the other: a block that begins ends the one before it. */
export class BlockWriter {
  #index = -1
  #open: string | undefined

  /** The open block, by the name it was started with. */
  get open(): string | undefined {
    return this.#open
  }

  begin(name: string, block: object): string {
    const before = this.close()
    this.#open = name
    this.#index += 1
    return before + toEvent({ type: 'content_block_start', index: this.#index, content_block: block })
  }

  delta(delta: object): string {
    return toEvent({ type: 'content_block_delta', index: this.#index, delta })
  }

  close(): string {
    if (this.#open === undefined) return ''
    this.#open = undefined
    return toEvent({ type: 'content_block_stop', index: this.#index })
  }
}
