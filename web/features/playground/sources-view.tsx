import { Disclosure } from './disclosure.tsx'
import { numberSources, type Source } from './sources.ts'

/** The pages that a response cites. Titles are not trusted: they are shown as text, beside the real host. */
export function SourcesView({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null
  return (
    <Disclosure title={`Sources (${sources.length})`} open>
      <ol aria-label="Sources" className="space-y-1.5">
        {numberSources(sources).map(({ number, url, host, title }) => (
          <li key={url} value={number} className="flex gap-2 text-sm">
            <span aria-hidden className="min-w-5 shrink-0 text-right text-ink-faint tabular-nums">
              {number}
            </span>
            <a
              href={url}
              title={url}
              target="_blank"
              rel="noreferrer noopener"
              className="group/source min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-2"
            >
              <bdi className="line-clamp-2 underline decoration-line-strong underline-offset-2 group-hover/source:decoration-ink sm:line-clamp-1">
                {title === '' ? url.replace(/^https?:\/\/(.*?)\/?$/, '$1') : title}
              </bdi>
              {title !== '' && (
                <span className="block text-xs text-ink-faint sm:max-w-2/3 sm:shrink-0">{host}</span>
              )}
            </a>
          </li>
        ))}
      </ol>
    </Disclosure>
  )
}
