import type { Turn } from './types.ts'

/** The turns that the next call would send, or else those that the last one sent. */
export function presentTurns(turns: readonly Turn[], unsent: string): readonly Turn[] {
  const said = (text: string): Turn => ({ role: 'user', id: 0, text })
  if (unsent.trim() !== '') return [...turns, said(unsent.trim())]
  const last = turns.findLastIndex((turn) => turn.role === 'user')
  return last === -1 ? [said('Say hello from the signal box.')] : turns.slice(0, last + 1)
}
