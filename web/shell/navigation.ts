import { sections, type Feature, type NavigationEntry } from './feature.ts'

export interface NavigationSection {
  title: (typeof sections)[number]
  entries: NavigationEntry[]
}

/** The sections that have something in them, each in the order in which the features are listed. */
export function navigationOf(features: readonly Feature[]): NavigationSection[] {
  const entries = features.flatMap((feature) => feature.navigation ?? [])
  return sections
    .map((title) => ({ title, entries: entries.filter((entry) => entry.section === title) }))
    .filter((section) => section.entries.length > 0)
}
