/** A job for the load generator. */
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
  /** To the first byte of the response body. */
  firstToken: number[]
  failures: number
}
