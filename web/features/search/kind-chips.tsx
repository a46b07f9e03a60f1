import { clsx } from 'clsx'
import type { SearchState } from '#search/contract'
import { countText, shortCount } from '../../ui/quantity.ts'
import { iconOf } from './kind-icon.ts'

interface KindChipsProps {
  kinds: SearchState['kinds']
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** No selection means all. */
export function KindChips({ kinds, chosen, onChange }: KindChipsProps) {
  const toggle = (kind: string) =>
    onChange(chosen.includes(kind) ? chosen.filter((each) => each !== kind) : [...chosen, kind])
  return (
    <div role="group" aria-label="Kinds" className="flex flex-wrap gap-1.5">
      <Chip label="All" isChosen={chosen.length === 0} onClick={() => onChange([])} />
      {kinds.map(({ kind, title, documents }) => (
        <Chip
          key={kind}
          icon={iconOf(kind)}
          label={title}
          count={documents}
          isChosen={chosen.includes(kind)}
          onClick={() => toggle(kind)}
        />
      ))}
    </div>
  )
}

interface ChipProps {
  icon?: ReturnType<typeof iconOf>
  label: string
  count?: number
  isChosen: boolean
  onClick: () => void
}

function Chip({ icon: Icon, label, count, isChosen, onClick }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={clsx(
        'inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm font-medium transition-colors',
        isChosen
          ? 'border-primary bg-accent-soft text-accent'
          : 'border-line bg-surface text-ink-soft hover:border-line-strong hover:text-ink',
      )}
    >
      {Icon && <Icon aria-hidden className="size-3.5" />}
      {label}
      {count !== undefined && (
        <span className="text-xs font-normal opacity-80" title={`${countText(count)} documents`}>
          {shortCount(count)}
        </span>
      )}
    </button>
  )
}
