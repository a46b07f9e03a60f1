import { useEffect, useId, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChevronDown, Ellipsis } from 'lucide-react'
import { attentionQuery } from '../api/attention.ts'
import { useCurrentGroup, useMe } from '../api/session.ts'
import type { NavigationEntry } from './feature.ts'
import { currentEntry, navigationOf } from './navigation.ts'
import { NavigationLink, type EntryCount } from './navigation-link.tsx'
import { shellRoute } from './shell-api.ts'
import { useStoredNames } from './stored-names.ts'

/**
 * The navigation along a line, with a dot that marks the current page. Sections fold by their titles; the pages of the
 * group stay in sight below those that scroll.
 */
export function NavigationList() {
  const { features } = shellRoute.useRouteContext()
  const group = useCurrentGroup()
  const [folded, toggleFolded] = useStoredNames('signalbox.folded-sections')
  const [full, toggleFull] = useStoredNames('signalbox.full-sections')
  const [pinned, togglePinned] = useStoredNames(`signalbox.pinned.${useMe().user?.id ?? ''}`)
  const countOf = useCounts(group?.id)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a low window the page that is open may be below the fold of the list.
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  const all = navigationOf(features, group?.role)
  const current = currentEntry(all, path)
  const sections = all.filter(({ title }) => title !== 'Settings')
  const favourites = sections.flatMap(({ entries }) => entries).filter(({ label }) => pinned.has(label))
  const shared = { pinned, togglePinned, countOf, current }
  return (
    <div ref={list} className="flex h-full flex-col">
      <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1">
        <div className="relative before:absolute before:inset-y-4 before:left-3 before:w-px before:bg-line-strong">
          {favourites.length > 0 && (
            <Section
              {...{ ...shared, title: 'Pinned', entries: favourites, isFull: true }}
              isFolded={folded.has('Pinned')}
              onFold={() => toggleFolded('Pinned')}
            />
          )}
          {sections
            .filter(({ title }) => title !== 'Group')
            .map(({ title, entries }) => (
              <Section
                key={title}
                {...{ ...shared, title, entries: entries.filter(({ label }) => !pinned.has(label)) }}
                isFolded={folded.has(title)}
                onFold={() => toggleFolded(title)}
                isFull={full.has(title)}
                onFull={() => toggleFull(title)}
              />
            ))}
        </div>
      </div>
      <div className="relative mt-2 border-t border-line pt-2">
        {sections
          .filter(({ title }) => title === 'Group')
          .map(({ title, entries }) => (
            <Section key={title} {...{ ...shared, title, entries, isFolded: false, isFull: true }} />
          ))}
      </div>
    </div>
  )
}

/** What of an entry needs attention. */
function useCounts(groupId: string | undefined): (entry: NavigationEntry) => EntryCount {
  const { data } = useQuery({ ...attentionQuery(groupId ?? ''), enabled: groupId !== undefined })
  return ({ counts }) => {
    const items = data?.data.filter(({ kind }) => counts?.kinds.includes(kind)) ?? []
    return {
      things: items.reduce((sum, { count }) => sum + count, 0),
      isSevere: items.some(({ severity }) => severity === 'critical' || severity === 'error'),
    }
  }
}

interface SectionProps {
  title: string
  entries: readonly NavigationEntry[]
  pinned: ReadonlySet<string>
  togglePinned: (label: string) => void
  countOf: (entry: NavigationEntry) => EntryCount
  current: NavigationEntry | undefined
  isFolded: boolean
  onFold?: () => void
  isFull: boolean
  /** Shows or hides what is behind "More". */
  onFull?: () => void
}

const untitled = ['Top', 'Group']

function Section({ title, entries, isFolded, onFold, isFull, onFull, ...rest }: SectionProps) {
  const { pinned, togglePinned, countOf, current } = rest
  const id = useId()
  const isUntitled = untitled.includes(title)
  const hidden = entries.filter((entry) => entry.isMore && entry !== current && countOf(entry).things === 0)
  const shown = isFull ? entries : entries.filter((entry) => !hidden.includes(entry))
  const isOpen = !isFolded || isUntitled
  const open = isOpen ? shown : shown.filter((entry) => countOf(entry).things > 0)
  if (entries.length === 0) return null
  return (
    <div className="mt-3 first:mt-0">
      <h2 className={isUntitled ? 'sr-only' : 'mb-0.5'}>
        {isUntitled ? (
          title
        ) : (
          <button
            type="button"
            aria-expanded={!isFolded}
            aria-controls={id}
            onClick={onFold}
            className="flex h-6 w-full items-center gap-1 rounded-md pr-2 pl-7 text-xs font-medium text-ink-faint -outline-offset-2 hover:text-ink"
          >
            <span className="flex-1 text-left">{title}</span>
            <ChevronDown
              aria-hidden
              className={clsx('size-3.5 transition-transform', isFolded && '-rotate-90')}
            />
          </button>
        )}
      </h2>
      <ul id={id}>
        {open.map((entry) => (
          <NavigationLink
            key={entry.label}
            entry={entry}
            count={countOf(entry)}
            isCurrent={entry === current}
            isPinned={pinned.has(entry.label)}
            onPin={isUntitled ? undefined : () => togglePinned(entry.label)}
          />
        ))}
        {onFull && !isFolded && hidden.length > 0 && (
          <li>
            <button
              type="button"
              aria-expanded={isFull}
              aria-label={`${isFull ? 'Fewer' : 'More'} pages of ${title}`}
              onClick={onFull}
              className="flex h-8 w-full items-center gap-2.5 rounded-lg pr-2 pl-7 text-sm text-ink-faint -outline-offset-2 hover:bg-hover hover:text-ink lg:h-7"
            >
              <Ellipsis aria-hidden className="size-4" />
              {isFull ? 'Fewer' : 'More'}
            </button>
          </li>
        )}
      </ul>
    </div>
  )
}
