import { clsx } from 'clsx'
import { ChevronDown, ChevronUp, GripVertical, SlidersHorizontal, X } from 'lucide-react'
import type { Model } from '#gateway/contract'
import type { Provider } from '#vault/contract'
import { keysOf } from '../../api/providers.ts'
import { IconButton } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Input, Select } from '../../ui/input.tsx'
import { ChoiceField, TextField } from '../../ui/text-field.tsx'
import { conditionOf, type TargetDraft } from './route-draft.ts'
import { conditionWords } from './route-words.ts'

interface TargetFieldsProps {
  target: TargetDraft
  /** Its place, from 1. */
  number: number
  count: number
  isWeighted: boolean
  models: readonly Model[]
  providers: readonly Provider[]
  error: string | undefined
  onChange: (part: Partial<TargetDraft>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  onDrag: (isDragged: boolean) => void
}

export function TargetFields(props: TargetFieldsProps) {
  const { target, number, count, isWeighted, error, onChange, onMove, onRemove, onDrag } = props
  const conditions = conditionWords(conditionOf(target))
  return (
    <>
      <div className="flex flex-wrap items-center gap-1.5 sm:flex-nowrap">
        <span
          draggable
          aria-hidden
          title="Drag to another place"
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move'
            event.dataTransfer.setDragImage(event.currentTarget.closest('li') ?? event.currentTarget, 16, 16)
            onDrag(true)
          }}
          onDragEnd={() => onDrag(false)}
          className="hidden cursor-grab text-ink-faint hover:text-ink sm:block"
        >
          <GripVertical className="size-4" />
        </span>
        <Input
          aria-label={`Model of target ${number}`}
          aria-invalid={error === undefined ? undefined : true}
          list="route-models"
          autoComplete="off"
          spellCheck={false}
          required={number === 1}
          maxLength={300}
          placeholder={number === 1 ? 'A model of any provider' : 'A model that takes over'}
          className={clsx('min-w-0 flex-1 font-mono', isWeighted && 'max-sm:basis-full')}
          value={target.model}
          onChange={(event) => onChange({ model: event.target.value })}
        />
        {isWeighted && (
          <Input
            aria-label={`Weight of target ${number}`}
            title="Weight"
            type="number"
            required
            min={1}
            max={1000}
            className="max-w-20 tabular-nums max-sm:mr-auto"
            value={target.weight}
            onChange={(event) => onChange({ weight: event.target.value })}
          />
        )}
        <IconButton
          label={`Move target ${number} up`}
          icon={ChevronUp}
          disabled={number === 1}
          className="disabled:opacity-40"
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={`Move target ${number} down`}
          icon={ChevronDown}
          disabled={number === count}
          className="disabled:opacity-40"
          onClick={() => onMove(1)}
        />
        <IconButton
          label={`Remove target ${number}`}
          icon={X}
          disabled={count === 1}
          className="disabled:opacity-40"
          onClick={onRemove}
        />
      </div>
      {error !== undefined && <p className="mt-1.5 text-xs text-danger sm:pl-5.5">{error}</p>}
      <div className="mt-2 sm:pl-5.5">
        <Fold
          id={`route-target-${target.id}`}
          icon={SlidersHorizontal}
          label="Conditions and key"
          excerpt={
            [...conditions, ...(target.key === '' ? [] : ['one key'])].join(' · ') || 'for every request'
          }
        >
          <Conditions {...props} />
        </Fold>
      </div>
    </>
  )
}

const yesOrNo = (what: string) =>
  [
    { id: '', label: 'With or without' },
    { id: 'yes', label: `With ${what}` },
    { id: 'no', label: `Without ${what}` },
  ] as const

function Conditions({ target, number, models, providers, onChange }: TargetFieldsProps) {
  const owner = models.find(({ id }) => id === target.model.trim())?.owned_by
  const offered = owner === undefined ? providers : providers.filter(({ id }) => id === owner)
  const tokens = { type: 'number', min: 0, inputMode: 'numeric', placeholder: 'any' } as const
  return (
    <div className="grid gap-3 pb-1 sm:grid-cols-2">
      <TextField
        {...tokens}
        label="Input tokens, at least"
        value={target.least}
        onChange={(least) => onChange({ least })}
      />
      <TextField
        {...tokens}
        label="Input tokens, at most"
        value={target.most}
        onChange={(most) => onChange({ most })}
      />
      <ChoiceField
        label="Tools"
        value={target.tools}
        choices={yesOrNo('tools')}
        onChange={(tools) => onChange({ tools })}
      />
      <ChoiceField
        label="Images"
        value={target.images}
        choices={yesOrNo('images')}
        onChange={(images) => onChange({ images })}
      />
      <TextField
        label="Input price, at most"
        hint="US dollars for a million tokens."
        inputMode="decimal"
        pattern="\d+(\.\d+)?"
        placeholder="any"
        value={target.price}
        onChange={(price) => onChange({ price })}
      />
      <div>
        <p className="mb-1.5 text-sm font-medium">Provider key</p>
        <Select
          aria-label={`Provider key of target ${number}`}
          value={target.key}
          onChange={(event) => onChange({ key: event.target.value })}
        >
          <option value="">As for other requests</option>
          {offered.flatMap((provider) =>
            keysOf(provider).map((key) => (
              <option key={key.id} value={key.id}>
                {provider.name}: {key.name}
              </option>
            )),
          )}
        </Select>
      </div>
    </div>
  )
}
