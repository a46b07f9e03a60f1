import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowUpRight, BookOpen, KeyRound, Users, type LucideIcon } from 'lucide-react'

interface Step {
  icon: LucideIcon
  title: string
  text: string
  to: NonNullable<LinkProps['to']>
}

const steps: Step[] = [
  { icon: KeyRound, title: 'One key a program', text: 'Scoped, expiring, revoked in a click.', to: '/keys' },
  { icon: Users, title: 'Bring the team', text: 'Invite people with a link and a role.', to: '/groups' },
  { icon: BookOpen, title: 'Read the API', text: 'Every route, with a call to copy.', to: '/docs' },
]

export function NextSteps() {
  return (
    <section aria-label="Next steps" className="mt-12 border-t border-line pt-8">
      <h2 className="mb-4 text-base font-semibold">Next</h2>
      <ul className="grid gap-3 sm:grid-cols-3">
        {steps.map(({ icon: Icon, title, text, to }) => (
          <li key={title}>
            <Link
              to={to}
              className="group block h-full rounded-xl border border-line bg-surface p-4 shadow-low transition-colors hover:border-line-strong"
            >
              <span className="flex items-center justify-between">
                <Icon aria-hidden className="size-5 text-accent" />
                <ArrowUpRight
                  aria-hidden
                  className="size-4 text-ink-faint opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100"
                />
              </span>
              <span className="mt-3 block font-medium">{title}</span>
              <span className="mt-0.5 block text-sm text-ink-soft">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
