/** What is to be read: changes seen live before what an import has found, each in the order of arrival. */
export class WorkQueue<T> {
  readonly #urgent = new Set<T>()
  readonly #backlog = new Set<T>()

  add(item: T, isUrgent: boolean): void {
    if (this.#urgent.has(item)) return
    if (isUrgent) {
      this.#backlog.delete(item)
      this.#urgent.add(item)
    } else this.#backlog.add(item)
  }

  /** The next item that nobody works on. */
  take(busy: ReadonlySet<T>): T | undefined {
    for (const items of [this.#urgent, this.#backlog])
      for (const item of items) {
        if (busy.has(item)) continue
        items.delete(item)
        return item
      }
    return undefined
  }

  delete(item: T): void {
    this.#urgent.delete(item)
    this.#backlog.delete(item)
  }

  get size(): number {
    return this.#urgent.size + this.#backlog.size
  }
}
