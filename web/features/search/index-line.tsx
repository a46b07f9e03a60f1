import type { SearchState } from '#search/contract'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { countText } from '../../ui/quantity.ts'

/** Shown while documents are being embedded: keywords find all of them, meaning only those done. */
export function IndexLine({ index }: { index: SearchState }) {
  return (
    <div className="rounded-xl border border-line bg-surface px-4 py-3">
      <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft">
        <span>Indexing. Until it is done, some documents are found by keyword only.</span>
        <span className="text-ink-faint">{countText(index.waiting)} chunks left</span>
      </p>
      <ProgressBar label="Indexed" percent={index.progress} />
    </div>
  )
}
