import { useEffect, useId, useRef, useState } from 'react'
import { Link, useRouterState } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { NavigationEntry } from './feature.ts'
import { navigationOf, type NavigationSection } from './navigation.ts'
import { shellRoute } from './shell-api.ts'

/** The navigation along a line, with a dot that marks the current page. Sections fold by their titles. */
export function NavigationList() {
  const { features } = shellRoute.useRouteContext()
  const [folded, toggle] = useFoldedSections()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a low window the page that is open may be below the fold of the list.
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return (
    <div
      ref={list}
      className="relative before:absolute before:inset-y-4 before:left-3 before:w-px before:bg-line-strong"
    >
      {navigationOf(features).map((section) => (
        <Section
          key={section.title}
          section={section}
          isFolded={folded.has(section.title)}
          onToggle={() => toggle(section.title)}
        />
      ))}
    </div>
  )
}

interface SectionProps {
  section: NavigationSection
  isFolded: boolean
  onToggle: () => void
}

function Section({ section, isFolded, onToggle }: SectionProps) {
  const id = useId()
  const isTop = section.title === 'Top'
  return (
    <div className="mt-3 first:mt-0">
      <h2 className={isTop ? 'sr-only' : 'mb-0.5'}>
        {isTop ? (
          section.title
        ) : (
          <button
            type="button"
            aria-expanded={!isFolded}
            aria-controls={id}
            onClick={onToggle}
            className="flex h-6 w-full items-center gap-1 rounded-md pr-2 pl-7 text-xs font-medium text-ink-faint -outline-offset-2 hover:text-ink"
          >
            <span className="flex-1 text-left">{section.title}</span>
            <ChevronDown
              aria-hidden
              className={clsx('size-3.5 transition-transform', isFolded && '-rotate-90')}
            />
          </button>
        )}
      </h2>
      <ul id={id} hidden={isFolded && !isTop}>
        {section.entries.map((entry) => (
          <li key={entry.label}>
            <NavigationLink entry={entry} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function NavigationLink({ entry }: { entry: NavigationEntry }) {
  const to = entry.page.to as string
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className="group relative flex h-8 items-center gap-2.5 lg:h-7.5 rounded-lg pr-2 pl-7 text-sm font-medium text-ink-soft -outline-offset-2 transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink"
    >
      <span
        aria-hidden
        className="absolute left-[0.5625rem] size-[0.4375rem] rounded-full border border-line-strong bg-canvas transition-colors group-hover:border-ink-faint group-aria-[current=page]:border-primary group-aria-[current=page]:bg-primary group-aria-[current=page]:shadow-[0_0_0_3px_color-mix(in_srgb,var(--primary)_28%,transparent)]"
      />
      <entry.icon aria-hidden className="size-4 text-ink-faint group-aria-[current=page]:text-ink" />
      {entry.label}
    </Link>
  )
}

const storageKey = 'signalbox.folded-sections'

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((title) => typeof title === 'string') : []
  } catch {
    return []
  }
}

/** Which sections of the navigation this browser has folded. */
function useFoldedSections(): [ReadonlySet<string>, (title: string) => void] {
  const [folded, setFolded] = useState(() => new Set(read()))
  const toggle = (title: string) => {
    const next = new Set(folded)
    if (!next.delete(title)) next.add(title)
    setFolded(next)
    try {
      localStorage.setItem(storageKey, JSON.stringify([...next]))
    } catch {
      // Without storage the choice lasts until the page is reloaded.
    }
  }
  return [folded, toggle]
}
