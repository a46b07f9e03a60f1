import { useMutation } from '@tanstack/react-query'
import { Search, TriangleAlert } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { categoryNames, categoryTones, CitedLink } from '../../initiatives/index.ts'
import { ProposalCard } from '../proposals/proposal-card.tsx'
import type { ScreenProps } from '../screen.ts'
import { call } from '../../../api/client.ts'
import type { Item } from '../standup-state.ts'
import { ResearchCard } from './research-card.tsx'

interface ConversationItemProps extends ScreenProps {
  item: Item
  /** Then the proposals are here, not at the side. */
  isNarrow: boolean
}

export function ConversationItem(props: ConversationItemProps) {
  const { item, state, initiative, mayTalk } = props
  switch (item.kind) {
    case 'message':
      return <Message item={item} />
    case 'tools':
      return <Tools item={item} />
    case 'question':
      return <Question item={item} initiativeId={initiative.id} mayAnswer={mayTalk && !state.ended} />
    case 'research':
      return <ResearchCard event={item.event} />
    case 'error':
      return <Failure event={item.event} />
    case 'proposal':
    default:
      return <Proposed {...props} id={item.id} />
  }
}

/** A refusal is what the model said, not a fault. */
function Failure({ event: { code, message } }: { event: Extract<Item, { kind: 'error' }>['event'] }) {
  if (code !== 'refusal')
    return (
      <Notice tone="danger" title={message}>
        The stand-up continues: send a message to try again.
      </Notice>
    )
  return (
    <Notice tone="warning" title="The model refused to respond">
      <p className="whitespace-pre-wrap">{message}</p>
      <p className="mt-1.5">The stand-up continues: ask in other words, or for something else.</p>
    </Notice>
  )
}

/** The proposal itself where there is no room at the side; otherwise a line that leads to it. */
function Proposed({ id, state, initiative, mayTalk, isNarrow }: ConversationItemProps & { id: string }) {
  const proposal = state.proposals.get(id)
  if (!proposal) return null
  if (isNarrow)
    return (
      <ProposalCard initiativeId={initiative.id} proposal={proposal} maySettle={mayTalk && !state.ended} />
    )
  return (
    <p className="text-sm text-ink-faint">
      Proposed:{' '}
      <a href={`#proposal-${proposal.id}`} className="text-accent hover:underline">
        {proposal.kind === 'decision'
          ? proposal.title
          : `${proposal.confidence}% for “${proposal.criterion}”`}
      </a>
    </p>
  )
}

function Message({ item }: { item: Extract<Item, { kind: 'message' }> }) {
  if (item.role === 'user')
    return (
      <div className="ml-auto w-fit max-w-[85%]">
        <p className="mb-1 text-right text-xs text-ink-faint">{item.author ?? 'Somebody'}</p>
        <div className="rounded-2xl rounded-br-md bg-hover px-4 py-2.5 [overflow-wrap:anywhere] whitespace-pre-wrap">
          {item.content}
        </div>
      </div>
    )
  return (
    <article aria-label="Agent" aria-busy={item.state === 'streaming'}>
      <Markdown source={item.content} />
      {item.state === 'interrupted' && (
        <p className="mt-1 flex items-center gap-1.5 text-xs text-ink-faint">
          <TriangleAlert aria-hidden className="size-3.5" /> The agent was interrupted here.
        </p>
      )}
    </article>
  )
}

/** What the agent looked up on the way. */
function Tools({ item: { tools } }: { item: Extract<Item, { kind: 'tools' }> }) {
  return (
    <ul aria-label="Looked up" className="space-y-0.5 text-xs text-ink-faint">
      {tools.map(({ id, summary, is_error, links }) => (
        <li key={id} className="flex items-start gap-1.5">
          {is_error ? (
            <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          ) : (
            <Search aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          )}
          <div className="min-w-0 [overflow-wrap:anywhere]">
            {links.length === 0 ? (
              summary
            ) : (
              <details>
                <summary className="w-fit cursor-pointer hover:text-ink">{summary}</summary>
                <ul className="mt-1 mb-2 space-y-1">
                  {links.map(({ title, url }, place) => (
                    <li key={place}>
                      <CitedLink title={title} url={url} />
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

interface QuestionProps {
  item: Extract<Item, { kind: 'question' }>
  initiativeId: string
  mayAnswer: boolean
}

function Question({ item: { event }, initiativeId, mayAnswer }: QuestionProps) {
  const answer = useMutation({
    mutationFn: (content: string) =>
      call('POST', '/api/initiatives/{id}/standup/message', {
        path: { id: initiativeId },
        body: { content },
      }),
  })
  return (
    <section
      aria-label={`Question: ${categoryNames[event.category]}`}
      className="rounded-xl border border-line border-l-4 border-l-primary bg-surface px-4 py-3 shadow-low"
    >
      <Badge tone={categoryTones[event.category]}>{categoryNames[event.category]}</Badge>
      <p className="mt-1.5 font-medium [overflow-wrap:anywhere]">{event.content}</p>
      {event.options.length > 0 && mayAnswer && (
        <div className="mt-2.5 flex flex-wrap gap-2">
          {event.options.map((option) => (
            <Button
              key={option}
              size="small"
              busy={answer.isPending && answer.variables === option}
              className="h-auto! min-h-7 max-w-full py-1 text-left [overflow-wrap:anywhere] whitespace-normal!"
              onClick={() => answer.mutate(option)}
            >
              {option}
            </Button>
          ))}
        </div>
      )}
      {event.options.length > 0 && !mayAnswer && (
        <ul className="mt-1.5 list-disc space-y-0.5 pl-5 text-sm text-ink-soft">
          {event.options.map((option) => (
            <li key={option} className="[overflow-wrap:anywhere]">
              {option}
            </li>
          ))}
        </ul>
      )}
      {answer.error && <Notice tone="danger" title={answer.error.message} />}
    </section>
  )
}
