import { useId, useState } from 'react'
import { Command } from 'cmdk'
import { Check, ChevronsUpDown, Search } from 'lucide-react'
import type { Model } from '#gateway/contract'
import { Popover } from '../../ui/popover.tsx'
import { providerName } from '../../ui/provider-name.ts'
import { pricesInWords } from './cost.ts'
import { contextInWords, groupModels } from './model-list.ts'

interface ModelPickerProps {
  models: readonly Model[]
  value: string | undefined
  onChange: (id: string) => void
}

export function ModelPicker({ models, value, onChange }: ModelPickerProps) {
  const [open, setOpen] = useState(false)
  const label = useId()
  const model = models.find(({ id }) => id === value)
  const choose = (id: string) => {
    onChange(id)
    setOpen(false)
  }
  return (
    <div>
      <p id={label} className="mb-1.5 text-sm font-medium">
        Model
      </p>
      <Popover
        open={open}
        onOpenChange={setOpen}
        label="Models"
        trigger={
          <button
            type="button"
            aria-labelledby={`${label} ${label}-value`}
            className="flex h-9 w-full items-center gap-2 rounded-lg border border-field bg-surface px-3 text-left transition-colors hover:border-ink-soft"
          >
            <span id={`${label}-value`} className="min-w-0 flex-1 truncate font-mono text-sm" title={value}>
              {value ?? 'Choose model'}
            </span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
          </button>
        }
      >
        <ModelList models={models} value={value} onChoose={choose} />
      </Popover>
      {value !== undefined && <p className="mt-1.5 text-xs text-ink-faint">{factsOf(model)}</p>}
    </div>
  )
}

/** "200K context · $3 in, $15 out per 1M tokens" */
function factsOf(model: Model | undefined): string {
  if (!model) return 'Not in the list. The gateway routes it by name.'
  const prices = pricesInWords(model)
  return [
    ...(model.context_length === null ? [] : [`${contextInWords(model.context_length)} context`]),
    prices === undefined ? 'price unknown' : `${prices} per 1M tokens`,
  ].join(' · ')
}

interface ModelListProps {
  models: readonly Model[]
  value: string | undefined
  onChoose: (id: string) => void
}

function ModelList({ models, value, onChoose }: ModelListProps) {
  const [words, setWords] = useState('')
  const groups = groupModels(models, words)
  const typed = words.trim()
  const isNew = typed !== '' && !/\s/.test(typed) && !models.some(({ id }) => id === typed)
  return (
    <Command label="Models" shouldFilter={false} className="flex min-h-0 flex-col">
      <div className="flex items-center gap-2.5 border-b border-line px-3">
        <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
        <Command.Input
          value={words}
          onValueChange={setWords}
          placeholder="Search models"
          className="h-10 w-full bg-transparent text-[1rem] outline-none placeholder:text-ink-faint sm:text-sm"
        />
      </div>
      <Command.List className="max-h-96 min-h-0 scroll-py-2 overflow-y-auto p-1.5">
        {groups.map((group) => (
          <Command.Group
            key={group.provider}
            heading={providerName(group.provider)}
            className="mb-1 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-faint"
          >
            {group.models.map((model) => (
              <ModelItem key={model.id} model={model} checked={model.id === value} onChoose={onChoose} />
            ))}
            {group.hidden > 0 && (
              <p className="px-2.5 py-1.5 text-xs text-ink-faint">
                {group.hidden} more. Type part of the name.
              </p>
            )}
          </Command.Group>
        ))}
        {isNew && (
          <Command.Item
            value={`typed ${typed}`}
            onSelect={() => onChoose(typed)}
            className="rounded-lg px-2.5 py-2 text-sm select-none data-[selected=true]:bg-hover"
          >
            Use <span className="font-mono break-all">{typed}</span>
          </Command.Item>
        )}
        {groups.length === 0 && !isNew && (
          <p className="px-3 py-6 text-center text-sm text-ink-soft">No matching models.</p>
        )}
      </Command.List>
      <p className="border-t border-line px-4 py-2 text-xs text-ink-faint">
        Context length in tokens; prices per 1M tokens.
      </p>
    </Command>
  )
}

interface ModelItemProps {
  model: Model
  checked: boolean
  onChoose: (id: string) => void
}

function ModelItem({ model, checked, onChoose }: ModelItemProps) {
  const facts = [
    ...(model.context_length === null ? [] : [contextInWords(model.context_length)]),
    pricesInWords(model) ?? 'price unknown',
  ]
  return (
    <Command.Item
      value={model.id}
      onSelect={() => onChoose(model.id)}
      className="flex items-center gap-2 rounded-lg px-2.5 py-1.5 select-none data-[selected=true]:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-mono text-sm" title={model.id}>
          {model.id}
        </span>
        <span className="block truncate text-xs text-ink-faint">{facts.join(' · ')}</span>
      </span>
      {checked && <Check aria-label="selected" className="size-4 shrink-0 text-accent" />}
    </Command.Item>
  )
}
