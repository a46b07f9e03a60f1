import type { ReactNode } from 'react'
import type { SqlEvidence } from '#sql/contract'
import { Badge } from '../../../ui/badge.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { countText } from '../../../ui/quantity.ts'

/** What a statement did in a trial run that was rolled back, to be read before approving it. */
export function EvidenceCard({ evidence }: { evidence: SqlEvidence }) {
  const { effect, locks, rewritten, other_sessions, warnings, checks, skipped, duration_ms } = evidence
  if (skipped !== null)
    return (
      <Notice tone="warning" title="Not tried beforehand">
        {skipped}
      </Notice>
    )
  const changed = [
    ['Created', effect?.created ?? []],
    ['Dropped', effect?.dropped ?? []],
    ['Altered', effect?.altered ?? []],
    ['Rewritten on disk', rewritten],
  ] as const
  return (
    <div className="space-y-4 text-sm">
      {effect && effect.tables.length > 0 && <RowCounts tables={effect.tables} />}
      {effect && effect.tables.length === 0 && changed.every(([, names]) => names.length === 0) && (
        <p className="text-ink-soft">It changed no rows and no tables.</p>
      )}
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {changed.map(([label, names]) =>
          names.length === 0 ? null : (
            <Fact key={label} label={label}>
              <Names
                names={names}
                tone={label === 'Dropped' || label === 'Rewritten on disk' ? 'danger' : 'neutral'}
              />
            </Fact>
          ),
        )}
        {locks.length > 0 && (
          <Fact label="Locks">
            <ul className="space-y-0.5">
              {locks.map(({ relation, mode }) => (
                <li key={`${relation} ${mode}`}>
                  <span className="font-mono text-xs">{relation}</span>{' '}
                  <Badge tone={mode === 'AccessExclusive' ? 'danger' : 'neutral'}>
                    {lockWords[mode] ?? mode}
                  </Badge>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {evidence.masked !== undefined && (
          <Fact label="Masked columns">
            <Names names={evidence.masked} tone="neutral" />
          </Fact>
        )}
        {evidence.grant_id && (
          <Fact label="Grant">
            <span className="font-mono text-xs [overflow-wrap:anywhere]">{evidence.grant_id}</span>
          </Fact>
        )}
        {locks.length > 0 && <Fact label="Other sessions on these tables now">{other_sessions}</Fact>}
        <Fact label="Time">{`${Math.round(duration_ms)} ms`}</Fact>
      </dl>
      {warnings.length > 0 && (
        <Notice tone="warning" title="Before you run this on a busy table">
          <ul className="list-disc space-y-1 pl-4">
            {warnings.map(({ rule, message }) => (
              <li key={`${rule} ${message}`}>
                {message} <span className="font-mono text-xs text-ink-faint">{rule}</span>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {checks.length > 0 && <Checks checks={checks} />}
    </div>
  )
}

export const lockWords: Record<string, string> = {
  AccessExclusive: 'blocks reading and writing',
  Exclusive: 'blocks writing',
  ShareRowExclusive: 'blocks writing',
  Share: 'blocks writing',
  ShareUpdateExclusive: 'blocks changes of the schema',
  RowExclusive: 'writes rows',
  RowShare: 'locks rows',
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-faint">{label}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

function Names({ names, tone }: { names: readonly string[]; tone: 'danger' | 'neutral' }) {
  return (
    <span className="flex flex-wrap gap-1">
      {names.map((name) => (
        <Badge key={name} mono tone={tone}>
          {name}
        </Badge>
      ))}
    </span>
  )
}

function RowCounts({ tables }: { tables: NonNullable<SqlEvidence['effect']>['tables'] }) {
  return (
    <table className="w-full text-left">
      <caption className="sr-only">Rows by table, cascades included</caption>
      <thead className="text-xs text-ink-faint">
        <tr>
          <th className="py-1 font-medium">Table</th>
          <th className="py-1 text-right font-medium">Inserted</th>
          <th className="py-1 text-right font-medium">Updated</th>
          <th className="py-1 text-right font-medium">Deleted</th>
        </tr>
      </thead>
      <tbody>
        {tables.map(({ schema, name, inserted, updated, deleted }) => (
          <tr key={`${schema}.${name}`} className="border-t border-line">
            <td className="py-1.5 font-mono text-xs">{`${schema}.${name}`}</td>
            <td className="py-1.5 text-right tabular-nums">{countText(inserted)}</td>
            <td className="py-1.5 text-right tabular-nums">{countText(updated)}</td>
            <td
              className={
                deleted > 0
                  ? 'py-1.5 text-right font-semibold text-danger tabular-nums'
                  : 'py-1.5 text-right tabular-nums'
              }
            >
              {countText(deleted)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Checks({ checks }: { checks: SqlEvidence['checks'] }) {
  return (
    <section aria-label="Checks" className="space-y-3">
      <h3 className="text-sm font-semibold">Checks before and after</h3>
      {checks.map(({ sql, before, after }) => (
        <div key={sql}>
          <p className="font-mono text-xs text-ink-soft [overflow-wrap:anywhere]">{sql}</p>
          <div className="mt-1 grid gap-2 sm:grid-cols-2">
            {[
              { label: 'Before', value: before },
              { label: 'After', value: after },
            ].map(({ label, value }) => (
              <figure key={label} className="min-w-0">
                <figcaption className="mb-0.5 text-xs text-ink-faint">{label}</figcaption>
                <pre className="overflow-x-auto rounded-lg bg-sunken p-2 font-mono text-xs">
                  {JSON.stringify(value, null, 1)}
                </pre>
              </figure>
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}
