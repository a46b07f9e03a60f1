import type { WaitingFor } from '#agents/contract'

/** What a run waits for, now and afterwards. */
export const waitTitles: Record<WaitingFor['kind'], { now: string; past: string }> = {
  approval: { now: 'Waits for approval', past: 'Waited for approval' },
  tool: { now: 'Waits for permission', past: 'Waited for permission' },
  question: { now: 'Asks a question', past: 'Asked a question' },
}
