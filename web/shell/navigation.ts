import type { Role } from '#access/contract'
import { mayUse, sections, type Feature, type NavigationEntry, type SectionTitle } from './feature.ts'

export interface NavigationSection {
  title: SectionTitle
  entries: NavigationEntry[]
}

/** The sections that have something in them for this role, each in the order in which the features are listed. */
export function navigationOf(features: readonly Feature[], role: Role | undefined): NavigationSection[] {
  const entries = features
    .flatMap((feature) => feature.navigation ?? [])
    .filter(({ may }) => mayUse(may, role))
  return sections
    .map((title) => ({ title, entries: entries.filter((entry) => entry.section === title) }))
    .filter((section) => section.entries.length > 0)
}

/** The entry whose page is open, or holds it; pages of `Settings` belong to the entry that lists them. */
export function currentEntry(
  sections: readonly NavigationSection[],
  path: string,
): NavigationEntry | undefined {
  const entries = sections.flatMap((section) => section.entries)
  const toOf = ({ page }: NavigationEntry) => page.to as string
  const [found] = entries
    .filter((entry) => path === toOf(entry) || (toOf(entry) !== '/' && path.startsWith(`${toOf(entry)}/`)))
    .toSorted((one, other) => toOf(other).length - toOf(one).length)
  return found?.section === 'Settings' ? entries.find((entry) => toOf(entry) === '/settings') : found
}
