import type { IncomingHttpHeaders } from 'node:http'

import { objectOf, stringOf } from './json.ts'
import type { EndpointName, ProviderName } from './names.ts'

export interface FormFile {
  name: string
  filename: string
  contentType: string
  bytes: number
  sha256: string
}

/** A multipart form whose files were counted and hashed as they passed, not kept. */
export interface RecordedForm {
  fields: { name: string; value: string }[]
  files: FormFile[]
}

export interface Arrival {
  provider: ProviderName
  endpoint: EndpointName | undefined
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
}

export class RecordedRequest {
  readonly provider: ProviderName
  readonly endpoint: EndpointName | undefined
  readonly method: string
  /** Below the provider's base address, as the provider would see it. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly receivedAt = Date.now()
  /** The raw bytes; empty for a multipart form. */
  body: Buffer = Buffer.alloc(0)
  bodyBytes = 0
  bodySha256 = ''
  json: unknown
  form: RecordedForm | undefined
  /** Why the provider refused it, when it did. */
  refusal: string | undefined
  /** The body has arrived whole. */
  received = false
  answered = false
  aborted = false
  abortedAt: number | undefined
  #abort = Promise.withResolvers<number>()

  constructor(arrival: Arrival) {
    this.provider = arrival.provider
    this.endpoint = arrival.endpoint
    this.method = arrival.method
    this.path = arrival.path
    this.query = arrival.query
    this.headers = arrival.headers
  }

  /** The model asked for: Gemini has it in the path, a form in a field, the others in the body. */
  get model(): string {
    const inPath = /\/models\/([^/:]+):/.exec(this.path)?.[1]
    const inForm = this.form?.fields.find((field) => field.name === 'model')?.value
    return inPath ?? inForm ?? stringOf(objectOf(this.json)['model'])
  }

  markAborted(): void {
    if (this.aborted) return
    this.aborted = true
    this.abortedAt = Date.now()
    this.#abort.resolve(this.abortedAt)
  }

  /** Resolves with the time at which the caller went away; rejects when it stays. */
  async waitForAbort(timeoutMs = 5000): Promise<number> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Error(`${this.method} ${this.path} was not aborted within ${timeoutMs} ms`)),
      timeoutMs,
    )
    try {
      return await Promise.race([this.#abort.promise, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
