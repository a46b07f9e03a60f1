/** What a driver knows of the runtime behind it. */
export interface Probe {
  /** Every model that the runtime has. */
  models: readonly string[]
  embeddingModels: readonly string[]
  hasModel: boolean
  /** Changes with the weights, if the runtime reports it. */
  digest: string | null
}

export interface BatchLimits {
  texts: number
  bytes: number
  /** Batches at a time. */
  concurrency: number
}

/** One way to make vectors. It is given texts ready to be embedded: prefixed, cut, each of them once. */
export interface Driver {
  readonly limits: BatchLimits
  /**
   * Checked unit vectors in the order of the texts, or an error: `RuntimeDown`, or anything else for the batch.
   * With the signal nobody waits for them any more.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /** Throws `RuntimeDown` when the runtime does not respond. */
  probe(): Promise<Probe>
  close(): Promise<void>
}

/** The texts are not at fault: the runtime is unavailable, too busy, or no longer has the model. */
export class RuntimeDown extends Error {
  /** Status of the response; undefined when there was none. */
  readonly status: number | undefined
  readonly isTimeout: boolean

  constructor(message: string, options: { cause?: unknown; status?: number; isTimeout?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.status = options.status
    this.isTimeout = options.isTimeout ?? false
  }

  get isBusy(): boolean {
    return this.status === 503 || this.status === 429
  }
}
