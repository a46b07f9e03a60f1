import type { Turn } from './types.ts'

/** The turns of the next request if text is typed, or else those of the last one. */
export function presentTurns(turns: readonly Turn[], unsent: string): readonly Turn[] {
  const userTurn = (text: string): Turn => ({ role: 'user', id: 0, text })
  if (unsent.trim() !== '') return [...turns, userTurn(unsent.trim())]
  const last = turns.findLastIndex((turn) => turn.role === 'user')
  return last === -1 ? [userTurn('Say hello from Signalbox.')] : turns.slice(0, last + 1)
}
