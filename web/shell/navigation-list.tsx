import { Link } from '@tanstack/react-router'
import type { NavigationEntry } from './feature.ts'
import { navigationOf } from './navigation.ts'
import { shellRoute } from './shell-api.ts'

/** The navigation along a line, with a dot that marks the current page. */
export function NavigationList() {
  const { features } = shellRoute.useRouteContext()
  return (
    <div className="relative before:absolute before:inset-y-4 before:left-3 before:w-px before:bg-line-strong">
      {navigationOf(features).map((section) => (
        <div key={section.title} className="mt-4 first:mt-0">
          <h2
            className={section.title === 'Top' ? 'sr-only' : 'mb-1 pl-7 text-xs font-medium text-ink-faint'}
          >
            {section.title}
          </h2>
          <ul>
            {section.entries.map((entry) => (
              <li key={entry.label}>
                <NavigationLink entry={entry} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

function NavigationLink({ entry }: { entry: NavigationEntry }) {
  const to = entry.page.to as string
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className="group relative flex h-8 items-center gap-2.5 rounded-lg pr-2 pl-7 text-sm font-medium text-ink-soft -outline-offset-2 transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink"
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
