import type { AnyRoute } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'

/** The sections of the navigation in their order. Empty sections and the title of the first are not shown. */
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
  /** More words that find it in the palette. */
  keywords?: string[]
  icon: LucideIcon
  /** Where it leads. Plain types, because the checked ones are derived from the features. */
  go: { to: string; search?: Record<string, unknown> }
}

/** All that one part of Signalbox adds to the dashboard. The shell knows features only through this. */
export interface Feature {
  /** Pages inside the shell: their parent is `shellRoute`. */
  pages?: readonly AnyRoute[]
  navigation?: readonly NavigationEntry[]
  commands?: readonly Command[]
  /** A command for whatever text was typed into the palette. */
  lookUp?: (text: string) => Command
}
