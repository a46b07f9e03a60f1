import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { maxTargets } from '#gateway/contract'
import { modelsQuery } from '../../api/models.ts'
import { providersQuery } from '../../api/providers.ts'
import { Button } from '../../ui/button.tsx'
import { errorOf } from '../../ui/form-dialog.tsx'
import { filled, moved, newTarget, type TargetDraft } from './route-draft.ts'
import { TargetFields } from './target-fields.tsx'

interface TargetListProps {
  groupId: string
  targets: readonly TargetDraft[]
  isWeighted: boolean
  /** Of the last save. */
  error: unknown
  onChange: (targets: readonly TargetDraft[]) => void
}

/** The targets of a route in their order: dragged by the handle, or moved by the buttons. */
export function TargetList({ groupId, targets, isWeighted, error, onChange }: TargetListProps) {
  const { data: models = [] } = useQuery(modelsQuery(groupId))
  const { data: providers = [] } = useQuery(providersQuery(groupId))
  const [dragged, setDragged] = useState<number | null>(null)
  const move = (from: number, to: number) => onChange(moved(targets, from, to))
  const change = (index: number, part: Partial<TargetDraft>) =>
    onChange(targets.map((target, at) => (at === index ? { ...target, ...part } : target)))
  // The server counts only the rows that are filled.
  const numbers = new Map(filled({ targets }).map(({ id }, index) => [id, index]))
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Targets</legend>
      <ol className="space-y-2">
        {targets.map((target, index) => (
          <li
            key={target.id}
            onDragEnter={() => {
              if (dragged === null || dragged === index) return
              move(dragged, index)
              setDragged(index)
            }}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            className={clsx(
              'rounded-xl border border-line bg-canvas p-3 transition-opacity',
              dragged === index && 'opacity-50',
            )}
          >
            <TargetFields
              target={target}
              number={index + 1}
              count={targets.length}
              isWeighted={isWeighted}
              models={models}
              providers={providers}
              error={
                errorOf(error, `targets.${numbers.get(target.id)}.model`) ??
                errorOf(error, `targets.${numbers.get(target.id)}.provider_key_id`)
              }
              onChange={(part) => change(index, part)}
              onMove={(by) => move(index, index + by)}
              onRemove={() => onChange(targets.toSpliced(index, 1))}
              onDrag={(isDragged) => setDragged(isDragged ? index : null)}
            />
          </li>
        ))}
      </ol>
      <datalist id="route-models">
        {models
          .filter(({ owned_by: owner }) => owner !== 'signalbox')
          .map(({ id }) => (
            <option key={id} value={id} />
          ))}
      </datalist>
      {targets.length < maxTargets && (
        <Button
          look="quiet"
          size="small"
          icon={Plus}
          className="mt-2"
          onClick={() => onChange([...targets, newTarget()])}
        >
          Add target
        </Button>
      )}
    </fieldset>
  )
}
