import { useState } from 'react'
import { SlidersHorizontal } from 'lucide-react'
import { clsx } from 'clsx'
import type { Model } from '#gateway/contract'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { ModelPicker } from './model-picker.tsx'
import { efforts, noSettings, problemsOf, type Settings } from './settings.ts'
import { TextField, TextareaField } from '../../ui/text-field.tsx'

interface SettingsPanelProps {
  models: readonly Model[]
  model: string | undefined
  onModel: (id: string) => void
  settings: Settings
  onChange: (part: Partial<Settings>) => void
}

/** Beside the conversation; above it on narrow screens, collapsed except for the model. */
export function SettingsPanel({ models, model, onModel, settings, onChange }: SettingsPanelProps) {
  const [open, setOpen] = useState(false)
  const changed = Object.values(settings).filter((value) => value !== '').length
  return (
    <aside aria-label="Settings" className="space-y-5 self-start lg:sticky lg:top-10 lg:order-2">
      <div className="space-y-3">
        <ModelPicker models={models} value={model} onChange={onModel} />
        <Button
          icon={SlidersHorizontal}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="w-full lg:hidden"
        >
          Settings{changed > 0 && ` (${changed})`}
        </Button>
      </div>
      <div className={clsx('space-y-5', open ? 'block' : 'hidden lg:block')}>
        <SettingsFields settings={settings} onChange={onChange} />
        {changed > 0 && (
          <Button size="small" look="quiet" onClick={() => onChange(noSettings)}>
            Reset settings
          </Button>
        )}
      </div>
    </aside>
  )
}

function SettingsFields({ settings, onChange }: Pick<SettingsPanelProps, 'settings' | 'onChange'>) {
  const problems = problemsOf(settings)
  return (
    <>
      <TextareaField
        label="System prompt"
        placeholder="You are a concise assistant."
        className="max-h-72 min-h-24"
        value={settings.system}
        onChange={(text) => onChange({ system: text })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Temperature"
          error={problems.temperature}
          inputMode="decimal"
          placeholder="default"
          value={settings.temperature}
          onChange={(text) => onChange({ temperature: text.replace(',', '.') })}
        />
        <TextField
          label="Max tokens"
          error={problems.maxTokens}
          inputMode="numeric"
          placeholder="default"
          value={settings.maxTokens}
          onChange={(text) => onChange({ maxTokens: text })}
        />
      </div>
      <Field label="Reasoning" hint="Reasoning effort, for models that support it.">
        {(ids) => (
          <Select
            {...ids}
            value={settings.effort}
            onChange={(event) => onChange({ effort: event.target.value as Settings['effort'] })}
          >
            <option value="">Model default</option>
            {efforts.map((effort) => (
              <option key={effort} value={effort}>
                {effort.replace(/^./, (letter) => letter.toUpperCase())}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  )
}
