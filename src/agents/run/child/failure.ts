import { LoopStop } from '#kernel/agent-loop'
import { Fault, messageOf } from '#kernel/errors'

/** Why a run failed, in a word for programs and a sentence for people. */
export function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof LoopStop || error instanceof Fault) return { code: error.code, message: error.message }
  return { code: 'provider_error', message: `The model did not answer: ${messageOf(error).slice(0, 2_000)}` }
}
