import { useQuery } from '@tanstack/react-query'
import type { StatusResponse } from '#embeddings/contract'
import type { CurrentGroup } from '../../api/session.ts'
import { Figure, Figures } from '../../ui/figure.tsx'
import { bytesText, countText, percentText, shortCount } from '../../ui/quantity.ts'
import { isOff, EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { isBusy, runtimeModelsQuery, statusQuery } from './embedding-queries.ts'
import { HealthCard } from './health-card.tsx'
import { IndexCard } from './index-card.tsx'

/** The model, its queue and the index, polled for changes. */
export function StateView({ group }: { group: CurrentGroup }) {
  const status = useQuery(statusQuery(group.id))
  return (
    <div className="space-y-5">
      {status.error && !status.data ? (
        <EmbeddingsFailure error={status.error} onRetry={() => status.refetch()} />
      ) : (
        <>
          <HealthCard status={status.data} />
          <QueueFigures status={status.data} />
          <OtherModels groupId={group.id} />
        </>
      )}
      {!isOff(status.error) && <IndexCard group={group} />}
    </div>
  )
}

function QueueFigures({ status }: { status: StatusResponse | undefined }) {
  const queue = status?.queue
  const cache = status?.cache
  const asked = cache ? cache.hits + cache.misses : 0
  return (
    <div>
      <Figures label="Queue and cache">
        <Figure
          name="Running"
          value={queue && countText(queue.running)}
          note={status && (isBusy(status) ? 'texts being embedded' : 'idle')}
        />
        <Figure name="Queued requests" value={queue && countText(queue.interactive)} note="served first" />
        <Figure name="Queued for index" value={queue && countText(queue.background)} note="served last" />
        <Figure
          name="Queue limit"
          value={queue && shortCount(queue.most)}
          title={queue && countText(queue.most)}
          note="texts"
        />
        <Figure
          name="Cached vectors"
          value={cache && shortCount(cache.vectors)}
          title={cache && countText(cache.vectors)}
          note={cache && `${bytesText(cache.bytes)} of ${bytesText(cache.most_bytes)}`}
        />
        <Figure
          name="Cache hit rate"
          value={cache && (asked === 0 ? '–' : percentText(cache.hits / asked))}
          note={asked > 0 ? `of ${shortCount(asked)} texts` : 'no requests yet'}
        />
      </Figures>
      <p className="mt-1.5 text-xs text-ink-faint">Counted since the server process started.</p>
    </div>
  )
}

/** Runtimes list the default version of a model with or without its tag. */
const bare = (model: string): string => model.replace(/:latest$/, '')

/** Shown only where there is a choice. */
function OtherModels({ groupId }: { groupId: string }) {
  const { data } = useQuery(runtimeModelsQuery(groupId))
  const others = data?.embedding_models.filter((model) => bare(model) !== bare(data.current_model)) ?? []
  if (others.length === 0) return null
  return (
    <p className="text-sm text-ink-soft">
      Other models on this runtime: {others.join(', ')}. Set EMBEDDING_MODEL to use one of them.
    </p>
  )
}
