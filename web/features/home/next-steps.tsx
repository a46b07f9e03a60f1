import { Link } from '@tanstack/react-router'
import { ArrowUpRight, Check } from 'lucide-react'
import { useSteps, type Step } from './use-steps.ts'

/** What to do next, in the order that helps a new user; what is done comes last. */
export function NextSteps({ groupId, isUsed }: { groupId: string; isUsed: boolean }) {
  // While nothing works yet, the checklist above has the provider key; later on nobody needs a tour.
  const steps = useSteps(groupId, isUsed).filter(({ to, isTour }) => (isUsed ? !isTour : to !== '/providers'))
  const done = isUsed ? [] : steps.filter((step) => step.done !== undefined)
  const open = steps.filter((step) => step.done === undefined)
  if (open.length === 0 && done.length === 0) return null
  return (
    <section aria-label="Next steps" className="mt-12 border-t border-line pt-8">
      {open.length > 0 && (
        <>
          <h2 className="mb-4 text-base font-semibold">Next steps</h2>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {open.map((step) => (
              <li key={step.title}>
                <OpenStep step={step} />
              </li>
            ))}
          </ul>
        </>
      )}
      {done.length > 0 && (
        <>
          <h2 className="mt-8 mb-3 text-base font-semibold first:mt-0">Done</h2>
          <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
            {done.map((step) => (
              <li key={step.title}>
                <DoneStep step={step} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function OpenStep({ step: { icon: Icon, title, text, to } }: { step: Step }) {
  return (
    <Link
      to={to}
      className="group block h-full rounded-xl border border-line bg-surface p-4 shadow-low transition-colors hover:border-line-strong"
    >
      <span className="flex items-center justify-between">
        <Icon aria-hidden className="size-5 text-accent" />
        <ArrowUpRight
          aria-hidden
          className="size-4 text-ink-faint opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100"
        />
      </span>
      <span className="mt-3 block font-medium">{title}</span>
      <span className="mt-0.5 block text-sm text-ink-soft">{text}</span>
    </Link>
  )
}

function DoneStep({ step: { title, done, to } }: { step: Step }) {
  return (
    <Link
      to={to}
      className="-mx-2 flex items-center gap-2.5 rounded-lg px-2 py-1.5 text-sm transition-colors hover:bg-hover"
    >
      <span
        aria-hidden
        className="grid size-5 shrink-0 place-items-center rounded-full bg-success-soft text-success"
      >
        <Check className="size-3.5" />
      </span>
      <span className="font-medium">{title}</span>
      <span className="ml-auto truncate text-xs text-ink-faint">{done}</span>
    </Link>
  )
}
