import type { EventStats } from '#console/contract'
import { ConsoleToolbar } from './console-toolbar.tsx'
import { FilterChips } from './filter-chips.tsx'
import { ContextBar } from './list-bars.tsx'
import { LiveSwitch } from './live-switch.tsx'
import type { ConsoleContext } from './use-console.ts'
import { useListValue } from './use-event-list.ts'

interface FilterAreaProps {
  context: ConsoleContext
  facets: EventStats | undefined
}

/** Stays in view while the list scrolls, except on phones, where it would cover too much of it. */
export function FilterArea({ context, facets }: FilterAreaProps) {
  const { at, list, pause, searchField, isNarrowed, goToNewest } = context
  const live = useListValue(list, (state) => state.live)
  return (
    <div className="z-20 -mx-4 mb-1 space-y-2 bg-[color-mix(in_srgb,var(--surface)_40%,var(--canvas))] px-4 py-2 sm:sticky sm:top-14 sm:-mx-8 sm:px-8 lg:top-0">
      <ConsoleToolbar
        filter={at.filter}
        period={at.period}
        facets={facets}
        searchField={searchField}
        onChange={at.setFilter}
        onPeriod={at.setPeriod}
      >
        <LiveSwitch live={live} isPaused={pause.isPaused} onPause={pause.pause} onFollow={goToNewest} />
      </ConsoleToolbar>
      {at.around === undefined ? (
        <FilterChips
          filter={at.filter}
          period={at.period}
          onChange={at.setFilter}
          onPeriod={at.setPeriod}
          onClear={at.clear}
        />
      ) : (
        <ContextBar onBack={at.leaveAround} hasFilter={isNarrowed} />
      )}
    </div>
  )
}
