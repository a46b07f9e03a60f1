import { ExternalLink } from 'lucide-react'
import type { Thing } from '#links/contract'
import { pageAddress } from '../../ui/page-address.ts'

/** A thing by its title, leading to its page where it has one. */
export function ThingLink({ thing, className = '' }: { thing: Thing; className?: string }) {
  const address = thing.url === null ? undefined : pageAddress(thing.url)
  if (address === undefined) return <span className={className}>{thing.title}</span>
  const isOwn = address.startsWith('/')
  return (
    <a
      href={address}
      {...(!isOwn && { target: '_blank', rel: 'noopener noreferrer nofollow' })}
      className={`[overflow-wrap:anywhere] hover:underline ${className}`}
    >
      {thing.title}
      {!isOwn && <ExternalLink aria-hidden className="ml-1 inline size-3 text-ink-faint" />}
    </a>
  )
}
