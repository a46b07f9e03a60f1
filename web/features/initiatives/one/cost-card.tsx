import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { InitiativeCost } from '#initiatives/contract'
import { InfoTip } from '../../../ui/info-tip.tsx'
import { Dollars } from '../../../ui/dollars.tsx'
import { exactDollars, shortDollars } from '../../../ui/money.ts'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { counted } from '../../../ui/quantity.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { costQuery } from '../initiative-queries.ts'
import type { Place } from './place.ts'

/** What the linked transcripts and the stand-ups cost, and what is not counted. */
export function CostCard({ place }: { place: Place }) {
  const { data, error, refetch } = useQuery(costQuery(place.groupId, place.initiative.id))
  return (
    <Card
      title="Cost"
      action={data && <InfoTip label="How the cost is calculated" text={data.unattributed.rule} />}
    >
      {error && <FailureNotice error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton className="h-7 w-24" />}
      {data && <Cost cost={data} slug={place.initiative.slug} />}
    </Card>
  )
}

function Cost({ cost, slug }: { cost: InitiativeCost; slug: string }) {
  const { exact, by_model: models, sources } = cost
  return (
    <div className="space-y-3 text-sm">
      <p>
        <span
          className="text-2xl font-semibold tracking-tight"
          title={exact.cost === null ? undefined : exactDollars(exact.cost)}
        >
          {exact.cost === null ? '–' : shortDollars(exact.cost)}
        </span>{' '}
        <span className="text-ink-faint">{counted(exact.requests, 'request')}</span>
      </p>
      {models.length > 0 && (
        <dl className="space-y-1">
          {models.map(({ model, cost: dollars }) => (
            <div key={model} className="flex justify-between gap-3">
              <dt className="min-w-0 truncate font-mono text-xs leading-5" title={model}>
                {model}
              </dt>
              <dd>{dollars === null ? 'no price' : <Dollars amount={dollars} />}</dd>
            </div>
          ))}
        </dl>
      )}
      {sources.length > 0 && (
        <ul aria-label="Where it came from" className="space-y-1 border-t border-line pt-3">
          {sources.slice(0, 8).map(({ kind, id, title, cost: dollars }) => (
            <li key={id} className="flex justify-between gap-3">
              {kind === 'transcript' ? (
                <Link to="/transcripts/$id" params={{ id }} className="min-w-0 truncate hover:underline">
                  {title}
                </Link>
              ) : (
                <Link
                  to="/initiatives/$id/standup"
                  params={{ id: slug }}
                  search={{ session: id }}
                  className="min-w-0 truncate hover:underline"
                >
                  {title}
                </Link>
              )}
              {dollars === null ? <span>no price</span> : <Dollars amount={dollars} />}
            </li>
          ))}
        </ul>
      )}
      <Unattributed cost={cost} />
    </div>
  )
}

function Unattributed({ cost: { exact, unattributed } }: { cost: InitiativeCost }) {
  const { transcripts_without_requests: without, missing_transcripts: missing } = unattributed
  const notes = [
    exact.unpriced_requests > 0 && `${counted(exact.unpriced_requests, 'request')} without a known price`,
    without > 0 && `${counted(without, 'linked transcript')} without requests through the gateway`,
    missing > 0 && `${counted(missing, 'linked transcript')} not in the archive`,
  ].filter((note) => note !== false)
  return (
    <p className="text-xs text-ink-faint">
      {notes.length > 0
        ? `Not counted: ${notes.join(', ')}.`
        : exact.requests === 0
          ? 'Link the transcripts of the work to see what it cost.'
          : 'Work whose transcript is not linked is not counted.'}
    </p>
  )
}
