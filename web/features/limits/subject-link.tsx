import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Limit } from '#limits/contract'

/** The name of a subject, leading to its page where it has one. */
export function SubjectLink({ subject, children }: { subject: Limit['subject']; children: ReactNode }) {
  const { type, id } = subject
  const look = { className: 'hover:underline' }
  if (id === null) return children
  if (type === 'api_key')
    return (
      <Link to="/keys/$id" params={{ id }} {...look}>
        {children}
      </Link>
    )
  if (type === 'model')
    return (
      <Link to="/models/$" params={{ _splat: id }} {...look}>
        {children}
      </Link>
    )
  if (type === 'user' && !id.startsWith('label:'))
    return (
      <Link to="/people/$id" params={{ id }} {...look}>
        {children}
      </Link>
    )
  return children
}
