import type { ReactNode } from 'react'

/** Numbered steps, joined by a line. */
export function SetupSteps({ children }: { children: ReactNode }) {
  return <ol className="mt-10">{children}</ol>
}

interface SetupStepProps {
  number: number
  title: string
  last?: boolean
  children: ReactNode
}

export function SetupStep({ number, title, last, children }: SetupStepProps) {
  return (
    <li className="relative pb-9 pl-11 last:pb-0">
      {!last && <span aria-hidden className="absolute top-7 bottom-0 left-[0.8125rem] w-0.5 bg-line" />}
      <span
        aria-hidden
        className="absolute top-0 left-0 grid size-7 place-items-center rounded-full border-2 border-primary bg-surface text-xs font-semibold"
      >
        {number}
      </span>
      <h2 className="mb-3 pt-0.5 text-base font-semibold">{title}</h2>
      {children}
    </li>
  )
}
