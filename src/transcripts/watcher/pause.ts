/** A pause that can be ended early. */
export interface Pause {
  wait(milliseconds: number): Promise<void>
  /** Ends this pause and all later ones at once. */
  end(): void
}

export function createPause(): Pause {
  const ended = new AbortController()
  return {
    wait: (milliseconds) =>
      new Promise((resolve) => {
        if (ended.signal.aborted) return resolve()
        const timer = setTimeout(done, milliseconds)
        function done(): void {
          clearTimeout(timer)
          ended.signal.removeEventListener('abort', done)
          resolve()
        }
        ended.signal.addEventListener('abort', done)
      }),
    end: () => ended.abort(),
  }
}
