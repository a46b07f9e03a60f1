import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useCurrentGroup } from '../../api/session.ts'
import { navigationOf } from '../../shell/navigation.ts'
import { shellRoute } from '../../shell/shell-api.ts'
import { Page } from '../../ui/page.tsx'

/** The pages of settings that the reader may use. */
export function SettingsPage() {
  const { features } = shellRoute.useRouteContext()
  const role = useCurrentGroup()?.role
  const entries = navigationOf(features, role).find(({ title }) => title === 'Settings')?.entries ?? []
  return (
    <Page title="Settings" description="Your account, and what the group sets up once.">
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-low">
        {entries.map(({ label, icon: Icon, text, page }) => (
          <li key={label}>
            <Link
              to={page.to as string}
              className="flex items-center gap-4 px-4 py-3.5 -outline-offset-2 transition-colors hover:bg-hover sm:px-5"
            >
              <Icon aria-hidden className="size-5 shrink-0 text-ink-faint" />
              <span className="min-w-0 flex-1">
                <span className="block text-sm font-medium">{label}</span>
                <span className="block text-sm text-ink-soft">{text}</span>
              </span>
              <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-faint" />
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}
