interface Closing {
  readonly closed: boolean
  once(event: 'close', work: () => void): unknown
}

/**
 * For what a response or a connection holds. It may be closed already, because its client disconnected while its rights
 * or its body were read; nothing says so a second time.
 */
export function whenClosed(closing: Closing, work: () => void): void {
  if (closing.closed) work()
  else closing.once('close', work)
}
