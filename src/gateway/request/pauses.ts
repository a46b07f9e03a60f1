import type { ClientConnection } from '../transport/receive.ts'

/** Waiting before another call, which ends early when the client disconnects or the server stops. */
export class Pauses {
  readonly #waiting = new Set<(mayGoOn: boolean) => void>()
  #isStopped = false

  /** False when no other call may be made. */
  async wait(ms: number, client: ClientConnection): Promise<boolean> {
    if (ms > 0 && !client.isClosed && !this.#isStopped)
      await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => end(true), ms)
        const end = (mayGoOn: boolean): void => {
          clearTimeout(timer)
          this.#waiting.delete(end)
          resolve(mayGoOn)
        }
        this.#waiting.add(end)
        client.onClose(() => end(false))
      })
    return !client.isClosed && !this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
    for (const end of this.#waiting) end(false)
  }
}
