import type { ReactNode } from 'react'

/** Steps along a line, like stations. */
export function Stations({ children }: { children: ReactNode }) {
  return <ol className="mt-10">{children}</ol>
}

interface StationProps {
  number: number
  title: string
  last?: boolean
  children: ReactNode
}

export function Station({ number, title, last, children }: StationProps) {
  return (
    <li className="relative pb-9 pl-11 last:pb-0">
      {!last && <span aria-hidden className="absolute top-7 bottom-0 left-[0.8125rem] w-0.5 bg-line" />}
      <span
        aria-hidden
        className="absolute top-0 left-0 grid size-7 place-items-center rounded-full border-2 border-lamp bg-surface text-xs font-semibold"
      >
        {number}
      </span>
      <h2 className="mb-3 pt-0.5 text-base font-semibold">{title}</h2>
      {children}
    </li>
  )
}
