import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import type { Model } from '#gateway/contract'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Lamp } from '../../ui/lamp.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AnswerFacts } from './answer-facts.tsx'
import { Folded } from './folded.tsx'
import { playgroundAdvice } from './playground-advice.ts'
import { SourcesView } from './sources-view.tsx'
import type { AnswerTurn } from './types.ts'

interface AnswerViewProps {
  turn: AnswerTurn
  model: Model | undefined
  /** Only the last answer can be asked for again. */
  onRetry?: (() => void) | undefined
}

export function AnswerView({ turn, model, onRetry }: AnswerViewProps) {
  const isStreaming = turn.state === 'streaming'
  return (
    <article aria-label={`Answer of ${turn.model}`} aria-busy={isStreaming} className="group space-y-3">
      <div className="flex min-h-8 items-center gap-2">
        <p className="min-w-0 flex-1 truncate font-mono text-xs text-ink-faint">{turn.model}</p>
        {!isStreaming && turn.text !== '' && <CopyButton text={turn.text} what="answer" />}
      </div>
      {turn.reasoning !== '' && (
        <Folded title={isStreaming && turn.text === '' ? 'Reasoning…' : 'Reasoning'}>
          <p className="text-sm whitespace-pre-wrap text-ink-soft">{turn.reasoning}</p>
        </Folded>
      )}
      {turn.text !== '' && <Markdown source={turn.text} />}
      <SourcesView sources={turn.sources} />
      {turn.toolCalls.map((call, index) => (
        <Folded key={index} title={`Calls the tool ${call.name}`} open>
          <pre className="overflow-x-auto font-mono text-xs whitespace-pre-wrap text-ink-soft">
            {call.arguments}
          </pre>
        </Folded>
      ))}
      {isStreaming && (
        <p role="status" className="text-sm text-ink-soft">
          <Lamp aspect="caution" blinking>
            {waitingWords(turn)}
          </Lamp>
        </p>
      )}
      {turn.state === 'done' && turn.text === '' && turn.toolCalls.length === 0 && (
        <Notice tone="caution" title="The answer is empty">
          {turn.finishReason === 'length'
            ? 'All tokens went into reasoning. Allow a longer answer in the settings.'
            : 'The model ended without a word. Ask again, or in other words.'}
        </Notice>
      )}
      {turn.state === 'done' && turn.text !== '' && turn.finishReason === 'length' && (
        <Notice tone="caution" title="Cut off at the longest answer allowed">
          Allow more tokens in the settings, or write “go on”.
        </Notice>
      )}
      {turn.error && <AnswerError turn={turn} />}
      <AnswerFacts turn={turn} model={model} />
      {!isStreaming && onRetry && (
        <Button size="small" icon={RotateCw} onClick={onRetry}>
          {turn.state === 'failed' ? 'Try again' : 'Ask again'}
        </Button>
      )}
    </article>
  )
}

function waitingWords({ text, reasoning }: AnswerTurn): string {
  if (text !== '') return 'Answering'
  return reasoning === '' ? 'Waiting for the first token' : 'Reasoning'
}

function AnswerError({ turn }: { turn: AnswerTurn }) {
  if (!turn.error) return null
  const { title, next, place } = playgroundAdvice(turn.error)
  return (
    <Notice tone="danger" title={title}>
      <p>{next}</p>
      {place === 'providers' && (
        <Link to="/providers" className={`${buttonClass('plain', 'small')} mt-2.5 mb-0.5`}>
          To the providers
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
