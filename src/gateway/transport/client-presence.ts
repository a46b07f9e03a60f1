import type { ServerResponse } from 'node:http'

/** Whether the client is still there. Lighter than an AbortSignal: one of these is made for every request. */
export class ClientPresence {
  isGone = false
  #whenGone: (() => void) | undefined

  constructor(response: ServerResponse) {
    response.once('close', () => {
      if (response.writableFinished) return
      this.isGone = true
      this.#whenGone?.()
    })
  }

  /** Calls back when the client leaves, at once if it has left. Only the last callback counts. */
  onGone(callback: () => void): void {
    if (this.isGone) callback()
    else this.#whenGone = callback
  }
}
