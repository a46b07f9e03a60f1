import type { QueryClient } from '@tanstack/react-query'
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

/** A thing that the palette leads to. */
export interface Found {
  id: string
  label: string
  /** What it is, such as `Key`. */
  kind: string
  icon: LucideIcon
  go: Command['go']
}

export type Find = (text: string, place: { groupId: string; queryClient: QueryClient }) => Promise<Found[]>

/** All that one part of Signalbox adds to the dashboard. The shell knows features only through this. */
export interface Feature {
  /** Pages inside the shell: their parent is `shellRoute`. */
  pages?: readonly AnyRoute[]
  navigation?: readonly NavigationEntry[]
  commands?: readonly Command[]
  /** A command for whatever text was typed into the palette. */
  lookUp?: (text: string) => Command
  /** The feature's things that have the text in their names, for the palette. Loaded when it is asked. */
  find?: Find
}
