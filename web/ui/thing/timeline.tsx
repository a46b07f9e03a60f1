import { useState } from 'react'
import { clsx } from 'clsx'
import { Button } from '../button.tsx'
import { MomentText } from '../moment-text.tsx'
import { Card } from '../page.tsx'
import type { Moment } from './moments.ts'

const shownAtFirst = 12

interface TimelineProps {
  moments: readonly Moment[]
  title?: string
}

/** What happened, the newest first. */
export function Timeline({ moments, title = 'Timeline' }: TimelineProps) {
  const [isWhole, setWhole] = useState(false)
  if (moments.length === 0) return null
  const sorted = moments.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  const shown = isWhole ? sorted : sorted.slice(0, shownAtFirst)
  return (
    <Card title={title}>
      <ol aria-label={title} className="text-sm">
        {shown.map((moment, place) => (
          <Entry key={`${moment.at} ${moment.title}`} moment={moment} isLast={place === shown.length - 1} />
        ))}
      </ol>
      {shown.length < sorted.length && (
        <Button size="small" look="quiet" onClick={() => setWhole(true)}>
          {`Show all ${sorted.length}`}
        </Button>
      )}
    </Card>
  )
}

const tones = { good: 'bg-success-strong', bad: 'bg-danger-strong', plain: 'bg-ink-faint' }

function Entry({ moment, isLast }: { moment: Moment; isLast: boolean }) {
  const { at, kind, title, href, by, tone = 'plain' } = moment
  return (
    <li className="flex gap-3">
      <span aria-hidden className="flex flex-col items-center pt-1.5">
        <span className={clsx('size-2 shrink-0 rounded-full', tones[tone])} />
        {!isLast && <span className="mt-1.5 w-px flex-1 bg-line" />}
      </span>
      <div className={clsx('min-w-0 flex-1', !isLast && 'pb-4')}>
        <p className="[overflow-wrap:anywhere]">
          {href === undefined ? (
            title
          ) : (
            <a href={href} className="hover:underline">
              {title}
            </a>
          )}
        </p>
        <p className="flex flex-wrap gap-x-2 text-xs text-ink-faint">
          <MomentText time={at} />
          {kind !== undefined && <span>{kind}</span>}
          {by !== undefined && <span>by {by}</span>}
        </p>
      </div>
    </li>
  )
}
