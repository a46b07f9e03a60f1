import type { MouseEvent } from 'react'
import { useRouter } from '@tanstack/react-router'
import type { SearchResult } from '#search/contract'
import { Badge } from '../../ui/badge.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { iconOf } from './kind-icon.ts'
import { piecesOf } from './pieces.ts'

/** Dashboard addresses open without a page load; any other address opens as a normal link. */
function useOpen(url: string) {
  const router = useRouter()
  return (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain || !/^\/(?!\/)/.test(url)) return
    event.preventDefault()
    router.history.push(url)
  }
}

export function ResultRow({ result, kind }: { result: SearchResult; kind: string | undefined }) {
  const open = useOpen(result.url)
  const Icon = iconOf(result.kind)
  return (
    <li className="relative flex gap-3.5 px-4 py-3.5 transition-colors hover:bg-hover/45 has-[a:focus-visible]:bg-hover/45 sm:px-5">
      <span
        aria-hidden
        className="mt-0.5 hidden size-8 shrink-0 place-items-center rounded-lg border border-line bg-sunken text-ink-faint sm:grid"
      >
        <Icon className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-3">
          <h3 className="min-w-0 font-medium [overflow-wrap:anywhere]">
            <a
              href={result.url}
              data-result
              onClick={open}
              className="-outline-offset-2 before:absolute before:inset-0 focus-visible:before:rounded-lg focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-focus focus-visible:outline-none"
            >
              {result.title}
            </a>
          </h3>
          {kind !== undefined && <Badge>{kind}</Badge>}
        </div>
        <p className="mt-0.5 line-clamp-3 text-sm [overflow-wrap:anywhere] text-ink-soft">
          {piecesOf(result.excerpt, result.highlights).map((piece, index) =>
            piece.isMarked ? (
              <mark key={index} className="rounded-xs bg-accent-soft px-0.5 font-medium text-accent">
                {piece.text}
              </mark>
            ) : (
              piece.text
            ),
          )}
        </p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-faint">
          <span>{whyOf(result)}</span>
          {result.similarity !== null && <Similarity value={result.similarity} />}
          <MomentText time={result.at} />
        </p>
      </div>
    </li>
  )
}

function whyOf({ matched }: SearchResult): string {
  if (matched.length > 1) return 'Meaning and keywords'
  return matched[0] === 'words' ? 'Keywords' : 'Meaning'
}

function Similarity({ value }: { value: number }) {
  return (
    <span className="inline-flex items-center gap-2" title="Similarity in meaning, from 0 to 1">
      <span aria-hidden className="block h-1 w-16 overflow-hidden rounded-full bg-hover">
        <span
          className="block h-full rounded-full bg-primary"
          style={{ width: `${(Math.max(0, Math.min(1, value)) * 100).toFixed(0)}%` }}
        />
      </span>
      <span>
        <span className="sr-only">Similarity </span>
        {value.toFixed(2)}
      </span>
    </span>
  )
}
