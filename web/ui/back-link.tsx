import type { ReactNode } from 'react'
import { Link, type LinkComponentProps } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'

export type BackLinkProps = { to: NonNullable<LinkComponentProps['to']>; children: ReactNode }

/** From one record to the list that it is in. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <Link to={to} className="mb-3 inline-flex items-center gap-1.5 text-sm text-ink-soft hover:text-ink">
      <ArrowLeft aria-hidden className="size-4" /> {children}
    </Link>
  )
}
