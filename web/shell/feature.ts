import type { AnyRoute } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'

/** The order in which the sections stand in the navigation. A section without entries is not shown, nor the title of the first. */
export const sections = ['Top', 'Gateway', 'Observe', 'Work', 'Settings'] as const

export interface NavigationEntry {
  section: (typeof sections)[number]
  label: string
  icon: LucideIcon
  /** The page it leads to: one of the feature's own routes. */
  page: AnyRoute
}

interface Command {
  label: string
  /** Other words by which the palette finds it. */
  keywords?: string[]
  icon: LucideIcon
  /** Where it leads. Plain types: the checked ones are made of the features themselves. */
  go: { to: string; search?: Record<string, unknown> }
}

/** All that one part of Signalbox adds to the dashboard. The shell knows parts only through this. */
export interface Feature {
  /** Pages inside the shell: their parent is `shellRoute`. */
  pages?: readonly AnyRoute[]
  navigation?: readonly NavigationEntry[]
  commands?: readonly Command[]
  /** What the palette offers for any text that was typed into it. */
  lookUp?: (text: string) => Command
}
