import type { SearchState } from '#search/contract'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { countText } from '../../ui/quantity.ts'

/** While the model reads: words already find everything, meanings what it has come to. */
export function IndexLine({ index }: { index: SearchState }) {
  return (
    <div className="rounded-xl border border-line bg-surface px-4 py-3">
      <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft">
        <span>The model is reading; until it is through, some things are found by their words only.</span>
        <span className="text-ink-faint">{countText(index.waiting)} pieces to go</span>
      </p>
      <ProgressBar label="Read by the model" percent={index.progress} />
    </div>
  )
}
