import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { attentionQuery } from '../../../api/attention.ts'
import { AttentionList } from '../../../ui/attention-list.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'

/** What needs attention, before everything else; nothing where nothing does. */
export function AttentionStrip({ groupId }: { groupId: string }) {
  const { data, error, refetch } = useQuery(attentionQuery(groupId))
  if (!data) return error ? <FailureNotice error={error} onRetry={() => refetch()} /> : null
  if (data.data.length === 0) return null
  const isSevere = data.data.some(({ severity }) => severity === 'critical' || severity === 'error')
  return (
    <section
      aria-labelledby="attention"
      className={clsx(
        'overflow-hidden rounded-xl border bg-surface shadow-low',
        isSevere ? 'border-danger/40' : 'border-primary/50',
      )}
    >
      <h2
        id="attention"
        className={clsx(
          'px-4 py-2.5 text-sm font-semibold sm:px-5',
          isSevere ? 'bg-danger-soft text-danger' : 'bg-accent-soft text-accent',
        )}
      >
        Needs attention
      </h2>
      <AttentionList items={data.data} />
    </section>
  )
}
