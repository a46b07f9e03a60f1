import { useQuery } from '@tanstack/react-query'
import type { StatusResponse } from '#embeddings/contract'
import type { CurrentGroup } from '../../api/session.ts'
import { Figure, Figures } from '../../ui/figure.tsx'
import { bytesText, countText, percentText, shortCount } from '../../ui/quantity.ts'
import { isOff, EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { isBusy, modelsAtHandQuery, statusQuery } from './embedding-queries.ts'
import { HealthCard } from './health-card.tsx'
import { IndexCard } from './index-card.tsx'

/** The model, its queue and the index, followed while they change. */
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
          <ModelsAtHand groupId={group.id} />
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
      <Figures label="Queue and memory of the model">
        <Figure
          name="At work"
          value={queue && countText(queue.running)}
          note={status && (isBusy(status) ? 'texts in the model' : 'at rest')}
        />
        <Figure
          name="Callers waiting"
          value={queue && countText(queue.interactive)}
          note="texts, first in turn"
        />
        <Figure
          name="Index waiting"
          value={queue && countText(queue.background)}
          note="texts, last in turn"
        />
        <Figure
          name="Room for"
          value={queue && shortCount(queue.most)}
          title={queue && countText(queue.most)}
          note="waiting texts"
        />
        <Figure
          name="Vectors kept"
          value={cache && shortCount(cache.vectors)}
          title={cache && countText(cache.vectors)}
          note={cache && `${bytesText(cache.bytes)} of ${bytesText(cache.most_bytes)}`}
        />
        <Figure
          name="Found in memory"
          value={cache && (asked === 0 ? '–' : percentText(cache.hits / asked))}
          note={asked > 0 ? `of ${shortCount(asked)} texts` : 'no text asked for yet'}
        />
      </Figures>
      <p className="mt-1.5 text-xs text-ink-faint">Of the process that answered, since its start.</p>
    </div>
  )
}

/** Runtimes name the usual version of a model with or without saying so. */
const bare = (model: string): string => model.replace(/:latest$/, '')

/** Only worth a line where there is a choice. */
function ModelsAtHand({ groupId }: { groupId: string }) {
  const { data } = useQuery(modelsAtHandQuery(groupId))
  const others = data?.embedding_models.filter((model) => bare(model) !== bare(data.current_model)) ?? []
  if (others.length === 0) return null
  return (
    <p className="text-sm text-ink-soft">
      The runtime also holds {others.join(', ')}. EMBEDDING_MODEL names the one to use.
    </p>
  )
}
