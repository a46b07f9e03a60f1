import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { defaultsQuery } from '../../../api/default-models.ts'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'

interface ModelOfferProps {
  group: CurrentGroup
  /** The model that does not work; it is not offered again. */
  model: string | undefined
  busy: boolean
  error: unknown
  onChoose: (model: string) => void
}

/** Models that work, each with one click: of the providers that the group has a key for. Else the page for keys. */
export function ModelOffer({ group, model, busy, error, onChoose }: ModelOfferProps) {
  const { data } = useQuery(defaultsQuery(group.id))
  if (!data) return null
  const offered = data.suggestions.filter((each) => each.model !== model)
  const may = mayManage(group.role)
  return (
    <div className="mt-2 space-y-2">
      <div className="flex flex-wrap gap-2">
        {may &&
          offered.map((each) => (
            <Button key={each.model} size="small" busy={busy} onClick={() => onChoose(each.model)}>
              {`Use ${each.model}`}
            </Button>
          ))}
        <Link to="/providers" className={buttonClass('plain', 'small')}>
          {may ? 'Add provider key' : 'Open providers'}
        </Link>
      </div>
      {!may && <p>An owner or admin of the group adds keys and sets models.</p>}
      {error !== null && <FailureNotice error={error} />}
    </div>
  )
}
