import type { ComponentProps } from 'react'
import { clsx } from 'clsx'
import { ChevronsUpDown, Search } from 'lucide-react'

/** 16 px on narrow screens: phones zoom into fields with smaller text. */
const frame =
  'w-full min-w-0 rounded-lg border border-field bg-surface px-3 text-[1rem] text-ink sm:text-sm ' +
  'placeholder:text-ink-faint hover:border-ink-soft aria-invalid:border-danger disabled:opacity-60 ' +
  'transition-colors'
const look = `h-9 ${frame}`

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={clsx(look, 'read-only:bg-sunken', className)} />
}

/** Grows with its text, up to the height its class allows. */
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={clsx(frame, 'field-sizing-content py-2', className)} />
}

export function SearchInput({ label, className, ...rest }: ComponentProps<'input'> & { label: string }) {
  return (
    <div className={clsx('relative', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
      <input type="search" aria-label={label} placeholder={label} {...rest} className={clsx(look, 'pl-9')} />
    </div>
  )
}

export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={clsx('relative', className)}>
      <select {...rest} className={clsx(look, 'appearance-none pr-8 text-ellipsis')}>
        {children}
      </select>
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-ink-faint"
      />
    </div>
  )
}
