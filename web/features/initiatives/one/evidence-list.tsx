import { ExternalLink } from 'lucide-react'
import { evidenceItem, type EvidenceItem } from '#initiatives/contract'
import { pageAddress } from '../../../ui/page-address.ts'

/** Evidence is stored as it came; what does not have its shape is not shown. */
export const readEvidence = (items: readonly unknown[]): EvidenceItem[] =>
  items.flatMap((item) => evidenceItem.safeParse(item).data ?? [])

/** What a statement rests on, with links. */
export function EvidenceList({ items }: { items: readonly unknown[] }) {
  const evidence = readEvidence(items)
  if (evidence.length === 0) return null
  return (
    <ul aria-label="Evidence" className="mt-1.5 space-y-1 text-sm">
      {evidence.map(({ title, url, quote }, index) => (
        <li key={index} className="min-w-0">
          <CitedLink title={title} url={url} />
          {quote !== undefined && <span className="text-ink-faint"> “{quote}”</span>}
        </li>
      ))}
    </ul>
  )
}

/** A page of the dashboard, or one elsewhere; other addresses are only text. */
export function CitedLink({ title, url }: { title: string; url: string }) {
  const address = pageAddress(url)
  if (address === undefined) return <span>{title}</span>
  const isOwn = address.startsWith('/')
  return (
    <a
      href={address}
      {...(!isOwn && { target: '_blank', rel: 'noopener noreferrer nofollow', title: address })}
      className="inline-flex max-w-full items-center gap-1 text-accent [overflow-wrap:anywhere] hover:underline"
    >
      <span className="min-w-0">{title}</span>
      {!isOwn && <ExternalLink aria-hidden className="size-3 shrink-0" />}
    </a>
  )
}
