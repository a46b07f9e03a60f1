import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import type { Model } from '#gateway/contract'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ResponseFacts } from './response-facts.tsx'
import { Disclosure } from './disclosure.tsx'
import { playgroundAdvice } from './playground-advice.ts'
import { SourcesView } from './sources-view.tsx'
import type { AssistantTurn } from './types.ts'

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
