/** What the load generator is told to do. */
export interface LoadJob {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
  concurrency: number
  requests: number
}

/** Times of every request in milliseconds. */
export interface LoadResult {
  seconds: number
  latency: number[]
  /** To the first byte of the answer's body. */
  firstToken: number[]
  failures: number
}
