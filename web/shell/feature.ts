import type { QueryClient } from '@tanstack/react-query'
import type { AnyRoute } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { Role } from '#access/contract'

/**
 * The sections of the navigation in their order. The titles of the first and the last are not shown; the pages of
 * `Settings` are listed on a page of their own.
 */
export const sections = ['Top', 'Gateway', 'Observe', 'Work', 'Data', 'Group', 'Settings'] as const
export type SectionTitle = (typeof sections)[number]

/** Who may use something. Without it everybody who may read. */
type May = 'write' | 'manage'

export const mayUse = (may: May | undefined, role: Role | undefined): boolean =>
  may === undefined ||
  (may === 'manage' ? role === 'owner' || role === 'admin' : role !== undefined && role !== 'viewer')

export interface NavigationEntry {
  section: SectionTitle
  label: string
  icon: LucideIcon
  /** The page it leads to: one of the feature's own routes. */
  page: AnyRoute
  may?: May
  /** Behind the "More" of its section, until it is pinned, open, or has a count. */
  isMore?: true
  /** What is there, for the page of settings. */
  text?: string
  /** More words that find it in the palette. */
  keywords?: string[]
  /** The kinds of attention that are dealt with there, and the word after their number. */
  counts?: { kinds: readonly string[]; word?: string }
}

/** A place in the dashboard. Plain types, because the checked ones are derived from the features. */
interface Place {
  to: string
  search?: Record<string, unknown>
}

interface CommandBase {
  label: string
  /** More words that find it in the palette. */
  keywords?: string[]
  icon: LucideIcon
  may?: May
}

/** Leads somewhere. */
interface Going extends CommandBase {
  go: Place
}

/** Asks first which thing it is about. */
export interface Choosing extends CommandBase {
  choose: {
    /** What to choose, such as `Key to revoke`. */
    prompt: string
    /** Where there is nothing to choose from. */
    none: string
    find: Find
  }
}

export type Command = Going | Choosing

/** A thing that the palette leads to. */
export interface Found {
  id: string
  label: string
  /** What it is, such as `Key`. */
  kind: string
  icon: LucideIcon
  go: Place
}

export interface FindPlace {
  groupId: string
  role: Role
  userId: string | null
  queryClient: QueryClient
}

export type Find = (text: string, place: FindPlace) => Promise<Found[]>

/** All that one part of Signalbox adds to the dashboard. The shell knows features only through this. */
export interface Feature {
  /** Pages inside the shell: their parent is `shellRoute`. */
  pages?: readonly AnyRoute[]
  navigation?: readonly NavigationEntry[]
  commands?: readonly Command[]
  /** A command for whatever text was typed into the palette. */
  lookUp?: (text: string) => Going
  /** The feature's things that have the text in their names, for the palette. Loaded when it is asked. */
  find?: Find
}
