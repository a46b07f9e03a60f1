import { Link } from '@tanstack/react-router'
import type { SpendRow } from '#usage/contract'
import { splitName, type Split } from './spend-words.ts'

interface SplitLinkProps {
  by: Split
  row: Pick<SpendRow, 'id' | 'name'>
  className: string
}

/** The name of a row, leading to the page of what it is of; a deleted thing has none. */
export function SplitLink({ by, row, className }: SplitLinkProps) {
  const text = splitName(by, row)
  const address = row.id === null ? undefined : addressOf(by, row.id, row.name !== null)
  if (address === undefined) return <span className={className}>{text}</span>
  return (
    <Link {...address} className={`${className} [overflow-wrap:anywhere] hover:underline`}>
      {text}
    </Link>
  )
}

function addressOf(by: Split, id: string, isNamed: boolean) {
  if (by === 'model') return { to: '/models/$', params: { _splat: id } } as const
  if (by === 'route') return { to: '/routes/$name', params: { name: id } } as const
  if (!isNamed) return undefined
  if (by === 'api_key')
    return id.startsWith('agent:')
      ? ({ to: '/agents/$id', params: { id: id.slice('agent:'.length) } } as const)
      : ({ to: '/keys/$id', params: { id } } as const)
  if (by === 'person') return { to: '/people/$id', params: { id } } as const
  if (by === 'provider_key') return { to: '/providers/keys/$id', params: { id } } as const
  if (by === 'provider') return { to: '/providers' } as const
  return by === 'group' ? ({ to: '/groups', search: { group: id } } as const) : undefined
}
