import type { ReactNode } from 'react'
import { clsx } from 'clsx'
import { Check } from 'lucide-react'

/** Numbered steps, joined by a line. */
export function SetupSteps({ children }: { children: ReactNode }) {
  return <ol className="mt-10">{children}</ol>
}

interface SetupStepProps {
  number: number
  title: string
  last?: boolean
  isDone?: boolean
  children: ReactNode
}

export function SetupStep({ number, title, last, isDone, children }: SetupStepProps) {
  return (
    <li className="relative pb-9 pl-11 last:pb-0">
      {!last && <span aria-hidden className="absolute top-7 bottom-0 left-[0.8125rem] w-0.5 bg-line" />}
      <span
        aria-hidden
        className={clsx(
          'absolute top-0 left-0 grid size-7 place-items-center rounded-full border-2 text-xs font-semibold',
          isDone ? 'border-success-strong bg-success-soft text-success' : 'border-primary bg-surface',
        )}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <h2 className="mb-3 pt-0.5 text-base font-semibold">
        {title}
        {isDone && <span className="sr-only"> (done)</span>}
      </h2>
      {children}
    </li>
  )
}
