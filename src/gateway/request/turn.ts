let waiting: PromiseWithResolvers<void> | undefined

/**
 * Comes when this turn of the event loop is over, to all who wait for it at once. Under load a dozen requests then
 * take the same step one right after the other, while its code and data are near the processor; alone, a request waits
 * for some microseconds.
 */
export function nextTurn(): Promise<void> {
  if (!waiting) {
    const own = (waiting = Promise.withResolvers<void>())
    setImmediate(() => {
      waiting = undefined
      own.resolve()
    })
  }
  return waiting.promise
}
