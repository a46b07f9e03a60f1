/** The archive cannot be reached now: everything waits and is sent later. */
export class SinkUnavailable extends Error {
  override readonly name = 'SinkUnavailable'
  /** Seconds that the server asks for. */
  readonly retryAfter: number | undefined

  constructor(message: string, retryAfter?: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfter = retryAfter
  }
}

/** The archive does not accept this segment, and would not accept it later. */
export class SegmentRefused extends Error {
  override readonly name = 'SegmentRefused'
}

/** The archive does not accept this watcher: the key is wrong or may not do this. */
export class WatcherRefused extends Error {
  override readonly name = 'WatcherRefused'
}
