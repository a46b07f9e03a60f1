import type { ReactNode } from 'react'
import type { Brief } from '#standups/contract'
import { Badge } from '../../ui/badge.tsx'
import { Figure, Figures } from '../../ui/figure.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { counted } from '../../ui/quantity.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { categoryNames, categoryTones, CitedLink, ConfidenceBar } from '../initiatives/index.ts'

/** What moved since the last stand-up, as Signalbox read it from its records. */
export function BriefCard({ brief }: { brief: Brief }) {
  const isNarrow = useNarrow()
  const { tickets, deployments, devlogs, decisions } = brief
  return (
    <details open={!isNarrow} className="group rounded-xl border border-line bg-surface shadow-low">
      <summary className="cursor-pointer px-5 py-3.5 select-none">
        <h2 className="ml-1 inline text-base font-semibold">Brief</h2>
        <span className="ml-2 text-sm text-ink-faint">
          {brief.since === null ? (
            'The first stand-up: everything so far'
          ) : (
            <>
              Since the last stand-up, <MomentText time={brief.since} />
            </>
          )}
        </span>
      </summary>
      <div className="space-y-5 px-5 pb-5">
        <Figures label="Since the last stand-up">
          <Figure
            name="Tickets done"
            value={tickets.done}
            note={`${tickets.open} open, ${tickets.created} new`}
          />
          <Figure
            name="Deployments"
            value={deployments.succeeded + deployments.failed}
            note={`${deployments.failed === 0 ? 'none failed' : `${deployments.failed} failed`}${ofGroup(deployments)}`}
          />
          <Figure name="Devlogs" value={devlogs.count} note={ofGroup(devlogs).slice(2)} />
          <Figure name="Decisions" value={decisions.length} />
        </Figures>
        <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
          <Part title="Criteria" isEmpty={brief.criteria.length === 0} empty="No criteria yet.">
            {brief.criteria.map((criterion) => (
              <li key={criterion.id} className="space-y-1">
                <p className="[overflow-wrap:anywhere]">{criterion.text}</p>
                <span className="flex flex-wrap items-center gap-x-3">
                  <ConfidenceBar confidence={criterion.confidence} isStale={criterion.is_stale} />
                  <Moved criterion={criterion} />
                </span>
              </li>
            ))}
          </Part>
          <div className="space-y-5">
            <Part title="Open questions" isEmpty={brief.open_questions.length === 0} empty="None.">
              {brief.open_questions.map(({ id, text, category }) => (
                <li key={id} className="flex items-start gap-2">
                  <Badge tone={categoryTones[category]}>{categoryNames[category]}</Badge>
                  <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
                </li>
              ))}
            </Part>
            <Part title="Findings" isEmpty={brief.findings.length === 0} empty="None.">
              {brief.findings.slice(-5).map(({ id, text, source, url, is_new }) => (
                <li key={id} className="[overflow-wrap:anywhere]">
                  {is_new && (
                    <>
                      <Badge tone="info">new</Badge>{' '}
                    </>
                  )}
                  {text}{' '}
                  <span className="text-xs text-ink-faint">
                    {url === null ? source : <CitedLink title={source} url={url} />}
                  </span>
                </li>
              ))}
            </Part>
          </div>
        </div>
        <Recent brief={brief} />
      </div>
    </details>
  )
}

/** Where nothing is linked to the initiative, the figure is of everybody in the group. */
const ofGroup = ({ scope }: Brief['deployments'] | Brief['devlogs']): string =>
  scope === 'initiative' ? '' : ', whole group'

interface PartProps {
  title: string
  isEmpty: boolean
  empty: string
  children: ReactNode
}

function Part({ title, isEmpty, empty, children }: PartProps) {
  return (
    <section>
      <h3 className="mb-2 text-xs font-medium text-ink-faint">{title}</h3>
      {isEmpty ? (
        <p className="text-sm text-ink-faint">{empty}</p>
      ) : (
        <ul className="space-y-3 text-sm">{children}</ul>
      )}
    </section>
  )
}

function Moved({ criterion: { confidence, before } }: { criterion: Brief['criteria'][number] }) {
  if (confidence === null || before === null || confidence === before) return null
  const difference = confidence - before
  return (
    <span className={difference > 0 ? 'text-xs text-success' : 'text-xs text-danger'}>
      {`${difference > 0 ? '▲' : '▼'} ${Math.abs(difference)} since then`}
    </span>
  )
}

/** The newest records behind the figures. */
function Recent({ brief }: { brief: Brief }) {
  const recent = [
    ...brief.tickets.recent.map((each) => ({ ...each, kind: 'Ticket' })),
    ...brief.deployments.recent.map((each) => ({ ...each, kind: 'Deployment' })),
    ...brief.devlogs.recent.map((each) => ({ ...each, kind: 'Devlog' })),
    ...brief.decisions.map((each) => ({ ...each, kind: 'Decision' })),
  ]
  if (recent.length === 0) return null
  return (
    <details>
      <summary className="w-fit cursor-pointer text-sm text-ink-soft hover:text-ink">
        {counted(recent.length, 'recent record')}
      </summary>
      <ul className="mt-2 space-y-1.5 text-sm">
        {recent.map(({ id, kind, title, url, at }) => (
          <li key={`${kind} ${id}`} className="flex flex-wrap items-baseline gap-x-2">
            <span className="w-20 shrink-0 text-xs text-ink-faint">{kind}</span>
            <CitedLink title={title} url={url} />
            <span className="text-xs text-ink-faint">
              <MomentText time={at} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
