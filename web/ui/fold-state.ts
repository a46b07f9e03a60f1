import { createContext, useContext, useState } from 'react'

/** What the reader has unfolded. It outlives the rows, which are removed when they are scrolled out of view. */
export interface FoldState {
  open: Map<string, boolean>
  /** The list must not follow its end while the reader unfolds something. */
  beforeToggle: () => void
}

export const FoldContext = createContext<FoldState>({ open: new Map(), beforeToggle: () => undefined })

export function useFold(key: string, isOpenAtFirst: boolean): [isOpen: boolean, toggle: () => void] {
  const state = useContext(FoldContext)
  const [, render] = useState(0)
  const isOpen = state.open.get(key) ?? isOpenAtFirst
  const toggle = () => {
    state.beforeToggle()
    state.open.set(key, !isOpen)
    render((count) => count + 1)
  }
  return [isOpen, toggle]
}
