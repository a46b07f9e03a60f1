import type { ConfidenceChange } from '#initiatives/contract'

/** A value that held for a while; places and values in percent of the picture. */
export interface Step {
  from: number
  to: number
  value: number
}

interface Mark {
  at: number
  value: number
}

export interface Steps {
  steps: Step[]
  /** What the agent had proposed at that moment. */
  estimates: Mark[]
}

type Point = Pick<ConfidenceChange, 'confidence' | 'proposed' | 'created_at'>

/** The history as a line of steps, from the first change until now. */
export function stepsOf(history: readonly Point[], now: number): Steps {
  const start = Date.parse(history[0]?.created_at ?? '')
  const length = Math.max(1, now - start)
  const place = (time: string): number => Math.min(100, ((Date.parse(time) - start) / length) * 100)
  const steps = history.map(({ confidence, created_at }, index) => {
    const next = history[index + 1]
    return { from: place(created_at), to: next ? place(next.created_at) : 100, value: confidence }
  })
  const estimates = history.flatMap(({ proposed, created_at }) =>
    proposed === null ? [] : [{ at: place(created_at), value: proposed }],
  )
  return { steps, estimates }
}
