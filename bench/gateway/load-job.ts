/** What the load generator is told to do. */
export interface LoadJob {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
  concurrency: number
  requests: number
}

/** Times in milliseconds. */
export interface LoadResult {
  seconds: number
  latency: Spread
  /** To the first byte of the answer's body. */
  firstToken: Spread
  failures: number
}

export interface Spread {
  p50: number
  p99: number
}
