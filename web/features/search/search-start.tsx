import { Link } from '@tanstack/react-router'
import { KeyRound, Telescope } from 'lucide-react'
import type { SearchState } from '#search/contract'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { counted } from '../../ui/quantity.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { iconOf } from './kind-icon.ts'
import { kindWords } from './kind-words.ts'

/** Before the first query: what can be searched, how much there is, and examples. */
export function SearchStart({ index, onAsk }: { index: SearchState; onAsk: (text: string) => void }) {
  const examples = index.kinds
    .filter(({ documents }) => documents > 0)
    .flatMap(({ kind }) => kindWords[kind]?.examples ?? [])
  return (
    <div className="space-y-6">
      {index.documents === 0 ? <EmptyIndex /> : <Examples examples={examples} onAsk={onAsk} />}
      <section aria-label="What you can search">
        <h2 className="mb-3 text-sm font-medium text-ink-faint">What you can search</h2>
        <ul className="grid gap-3 sm:grid-cols-2">
          {index.kinds.map((kind) => (
            <KindCard key={kind.kind} kind={kind} />
          ))}
        </ul>
      </section>
    </div>
  )
}

function EmptyIndex() {
  return (
    <EmptyState
      icon={Telescope}
      title="Nothing to search yet"
      action={
        <>
          <Link to="/providers" className={buttonClass('primary')}>
            <KeyRound aria-hidden className="size-4" /> Open providers
          </Link>
          <Link to="/playground" className={buttonClass()}>
            Open playground
          </Link>
        </>
      }
    >
      Models appear within seconds of a sync, requests within two minutes of being sent. There is nothing to
      set up.
    </EmptyState>
  )
}

function Examples({ examples, onAsk }: { examples: readonly string[]; onAsk: (text: string) => void }) {
  if (examples.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-ink-faint">Try</span>
      {examples.slice(0, 4).map((example) => (
        <button
          key={example}
          type="button"
          onClick={() => onAsk(example)}
          className="rounded-full border border-dashed border-line-strong px-3 py-1 text-sm text-ink-soft transition-colors hover:border-primary hover:text-ink"
        >
          {example}
        </button>
      ))}
    </div>
  )
}

function KindCard({
  kind: { kind, title, documents, chunks, waiting },
}: {
  kind: SearchState['kinds'][number]
}) {
  const Icon = iconOf(kind)
  const words = kindWords[kind]
  return (
    <li className="rounded-xl border border-line bg-surface p-4 shadow-low">
      <div className="flex items-center gap-2.5">
        <Icon aria-hidden className="size-4 text-accent" />
        <h3 className="font-medium">{title}</h3>
        <span className="ml-auto text-sm text-ink-faint">
          {documents === 0 ? 'none yet' : counted(documents, 'document')}
        </span>
      </div>
      {words && (
        <p className="mt-2 text-sm text-pretty text-ink-soft">
          {words.what}
          {documents === 0 && <> {words.when}</>}
        </p>
      )}
      {waiting > 0 && (
        <ProgressBar
          className="mt-3"
          label={`${title}: indexed`}
          percent={((chunks - waiting) / chunks) * 100}
        />
      )}
    </li>
  )
}
