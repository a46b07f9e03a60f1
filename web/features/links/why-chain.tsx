import type { Step } from '#links/contract'
import { Badge } from '../../ui/badge.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { howText, howTones, typeIcons, typeNames } from './link-words.ts'
import { ThingLink } from './thing-link.tsx'

interface WhyChainProps {
  steps: readonly Step[]
  /** Steps may share the one above, so that each says how deep it is. */
  isTree: boolean
}

/** From the top down: each step with how it was reached. */
export function WhyChain({ steps, isTree }: WhyChainProps) {
  return (
    <ol aria-label={isTree ? 'What it caused' : 'Why'} className="text-sm">
      {steps.map((step, place) => (
        <li
          key={`${step.thing.type} ${step.thing.id}`}
          style={isTree ? { paddingLeft: `${Math.min(step.depth, 8) * 1.25}rem` } : undefined}
        >
          <ChainStep step={step} isLast={isTree || place === steps.length - 1} />
        </li>
      ))}
    </ol>
  )
}

function ChainStep({ step: { thing, link }, isLast }: { step: Step; isLast: boolean }) {
  const Icon = typeIcons[thing.type]
  return (
    <div className="flex gap-3">
      <div className="flex flex-col items-center">
        <span className="flex size-7 shrink-0 items-center justify-center rounded-full border border-line bg-sunken text-ink-soft">
          <Icon aria-hidden className="size-3.5" />
        </span>
        {!isLast && <span aria-hidden className="w-px flex-1 bg-line" />}
      </div>
      <div className="min-w-0 flex-1 pb-4">
        <p className="flex flex-wrap items-baseline gap-x-2 pt-1">
          <span className="text-xs text-ink-faint">{typeNames[thing.type]}</span>
          {thing.at !== null && (
            <span className="text-xs text-ink-faint">
              <MomentText time={thing.at} />
            </span>
          )}
        </p>
        <p>
          <ThingLink thing={thing} className="font-medium" />
        </p>
        {link && (
          <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-faint">
            <Badge tone={howTones[link.how]}>{howText(link)}</Badge>
            <span className="min-w-0 [overflow-wrap:anywhere]">{link.evidence}</span>
          </p>
        )}
        <Said thing={thing} />
      </div>
    </div>
  )
}

/** The prompt, or what was decided and how sure people were of each criterion that day. */
function Said({ thing: { data, title } }: { thing: Step['thing'] }) {
  const text = data.decision ?? (data.prompt === title ? undefined : data.prompt)
  return (
    <>
      {text !== undefined && (
        <p className="mt-1.5 line-clamp-3 border-l-2 border-line pl-2.5 [overflow-wrap:anywhere] text-ink-soft">
          {text}
        </p>
      )}
      {data.criteria !== undefined && data.criteria.length > 0 && (
        <ul aria-label="Confidence on that day" className="mt-1.5 space-y-0.5 text-xs text-ink-soft">
          {data.criteria.map(({ text: criterion, confidence }) => (
            <li key={criterion} className="flex gap-2">
              <span className="w-10 shrink-0 text-right font-medium tabular-nums">
                {confidence === null ? '–' : `${confidence} %`}
              </span>
              <span className="min-w-0 [overflow-wrap:anywhere]">{criterion}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
