import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { RotateCw, ChevronRight } from 'lucide-react'
import type { Model } from '#gateway/contract'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ResponseFacts } from './response-facts.tsx'
import { playgroundAdvice } from './playground-advice.ts'
import type { AssistantTurn } from './types.ts'
import { numberSources, type Source } from './sources.ts'

interface ResponseViewProps {
  turn: AssistantTurn
  model: Model | undefined
  /** Only the last response can be retried. */
  onRetry?: (() => void) | undefined
}

export function ResponseView({ turn, model, onRetry }: ResponseViewProps) {
  const isStreaming = turn.state === 'streaming'
  return (
    <article aria-label={`Response from ${turn.model}`} aria-busy={isStreaming} className="group space-y-3">
      <div className="flex min-h-8 items-center gap-2">
        <p className="min-w-0 flex-1 truncate font-mono text-xs text-ink-faint">{turn.model}</p>
        {!isStreaming && turn.text !== '' && <CopyButton text={turn.text} what="response" />}
      </div>
      {turn.reasoning !== '' && (
        <Disclosure title={isStreaming && turn.text === '' ? 'Reasoning…' : 'Reasoning'}>
          <p className="text-sm whitespace-pre-wrap text-ink-soft">{turn.reasoning}</p>
        </Disclosure>
      )}
      {turn.text !== '' && <Markdown source={turn.text} />}
      <SourcesView sources={turn.sources} />
      {turn.toolCalls.map((call, index) => (
        <Disclosure key={index} title={`Tool call: ${call.name}`} open>
          <pre className="overflow-x-auto font-mono text-xs whitespace-pre-wrap text-ink-soft">
            {call.arguments}
          </pre>
        </Disclosure>
      ))}
      {isStreaming && (
        <p role="status" className="text-sm text-ink-soft">
          <StatusDot status="warning" blinking>
            {waitingWords(turn)}
          </StatusDot>
        </p>
      )}
      {turn.state === 'done' && turn.text === '' && turn.toolCalls.length === 0 && (
        <Notice tone="warning" title="Empty response">
          {turn.finishReason === 'length'
            ? 'All tokens were used for reasoning. Increase max tokens in the settings.'
            : 'The model returned no text. Try again, or rephrase the message.'}
        </Notice>
      )}
      {turn.state === 'done' && turn.text !== '' && turn.finishReason === 'length' && (
        <Notice tone="warning" title="Cut off at max tokens">
          Increase max tokens in the settings, or send “continue”.
        </Notice>
      )}
      {turn.error && <ResponseError turn={turn} />}
      <ResponseFacts turn={turn} model={model} />
      {!isStreaming && onRetry && (
        <Button size="small" icon={RotateCw} onClick={onRetry}>
          {turn.state === 'failed' ? 'Try again' : 'Regenerate response'}
        </Button>
      )}
    </article>
  )
}

function waitingWords({ text, reasoning }: AssistantTurn): string {
  if (text !== '') return 'Responding'
  return reasoning === '' ? 'Waiting for the first token' : 'Reasoning'
}

function ResponseError({ turn }: { turn: AssistantTurn }) {
  if (!turn.error) return null
  const { title, next, place } = playgroundAdvice(turn.error)
  return (
    <Notice tone="danger" title={title}>
      <p>{next}</p>
      {place === 'providers' && (
        <Link to="/providers" className={`${buttonClass('plain', 'small')} mt-2.5 mb-0.5`}>
          Open providers
        </Link>
      )}
      {place === 'limits' && (
        <Link to="/limits" className={`${buttonClass('plain', 'small')} mt-2.5 mb-0.5`}>
          Open limits
        </Link>
      )}
      {place === 'sign-in' && (
        <Link
          to="/sign-in"
          search={{ next: '/playground' }}
          className={`${buttonClass('plain', 'small')} mt-2.5 mb-0.5`}
        >
          Sign in
        </Link>
      )}
    </Notice>
  )
}

/** The pages that a response cites. Titles are not trusted: they are shown as text, beside the real host. */
function SourcesView({ sources }: { sources: readonly Source[] }) {
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

/** A title that opens and closes its content. */
function Disclosure({ title, open, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <details open={open} className="group/fold rounded-lg border border-line bg-sunken">
      <summary className="flex list-none items-center gap-2 px-3 py-2 text-xs font-medium text-ink-soft select-none hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 text-ink-faint transition-transform group-open/fold:rotate-90"
        />
        {title}
      </summary>
      <div className="max-h-80 overflow-y-auto border-t border-line px-3 py-2.5 [overflow-wrap:anywhere]">
        {children}
      </div>
    </details>
  )
}
