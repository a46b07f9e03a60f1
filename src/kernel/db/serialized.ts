/**
 * For what is read again when it has changed. Runs never overlap, so what was read first never replaces what was read
 * later, and calls made while a run waits share it: the run of a call always begins after it.
 */
export function serialized(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  return () => {
    if (waiting) return waiting
    const next = last.then(() => {
      waiting = undefined
      return work()
    })
    waiting = next
    last = next.catch(() => undefined)
    return next
  }
}
