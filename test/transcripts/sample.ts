import type { AssistantId } from '../../src/transcripts/assistants/index.ts'

/** Files as an assistant writes them, and by hand what they hold. */
export interface Sample {
  assistant: AssistantId
  /** Path below the assistant's root, and its records: JSONL, or one document. */
  files: { path: string; records: unknown[] }[]
  expected: {
    /** Session key: `role kind origin content`, in order. */
    messages: Record<string, string[]>
    sessions: Record<string, object>
    /** Input, cached, cache write and output tokens of everything, each API response once. */
    tokens: [number, number, number, number]
    files: string[]
    unknown: number
  }
}

/** The first bytes of a PNG. */
export const pngData = 'iVBORw0KGgo='

export function at(second: number): string {
  return new Date(Date.UTC(2026, 10, 16, 12, 0, second)).toISOString()
}
