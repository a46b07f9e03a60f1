import type { Task } from './contract.ts'

export const dimensions = 768

export interface EmbedOptions {
  /** Interactive texts go first; background ones take what is left. */
  priority?: 'interactive' | 'background'
  signal?: AbortSignal
}

/** Texts to unit vectors of 768 numbers, in order. All or nothing: a text that fails is a `TextFault` with its index. */
export interface Embedder {
  readonly model: string
  /** Says which vectors may be compared: two with different fingerprints never are. */
  readonly fingerprint: string
  embed(texts: readonly string[], task: Task, options?: EmbedOptions): Promise<Float32Array[]>
}
