import type { BatchLimits, Probe } from './driver.ts'
import type { RuntimeHttp } from './runtime-http.ts'

/** How one kind of runtime is spoken to. */
export interface Wire {
  readonly limits: BatchLimits
  embed(
    http: RuntimeHttp,
    model: string,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]>
  probe(http: RuntimeHttp, model: string): Promise<Probe>
}
