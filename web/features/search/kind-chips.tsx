import { clsx } from 'clsx'
import type { SearchByKindResponse, SearchState } from '#search/contract'
import { counted, shortCount } from '../../ui/quantity.ts'
import { iconOf } from './kind-icon.ts'
import { shownCount } from './shown-count.ts'

interface KindChipsProps {
  kinds: SearchState['kinds']
  /** What the query finds of each kind; without a query, or until it is known, undefined. */
  found: SearchByKindResponse['kinds'] | undefined
  /** Whether there is a query: the number of all documents would be wrong for it. */
  isAsked: boolean
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** No selection means all. */
export function KindChips({ kinds, found, isAsked, chosen, onChange }: KindChipsProps) {
  const foundOf = new Map(found?.map((each) => [each.kind, each]))
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
          count={isAsked ? resultsText(foundOf.get(kind)) : documentsText(documents)}
          isChosen={chosen.includes(kind)}
          onClick={() => toggle(kind)}
        />
      ))}
    </div>
  )
}

interface Count {
  text: string
  title: string
}

const documentsText = (count: number): Count => ({
  text: shortCount(count),
  title: counted(count, 'document'),
})

function resultsText(found: SearchByKindResponse['kinds'][number] | undefined): Count | undefined {
  if (!found) return undefined
  const { count, is_more } = found
  return { text: shownCount(found), title: is_more ? `More than ${count} results` : counted(count, 'result') }
}

interface ChipProps {
  icon?: ReturnType<typeof iconOf>
  label: string
  count?: Count | undefined
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
        <span className="text-xs font-normal opacity-80" title={count.title}>
          {count.text}
        </span>
      )}
    </button>
  )
}
