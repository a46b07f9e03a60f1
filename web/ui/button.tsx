import type { ComponentProps } from 'react'
import { clsx } from 'clsx'
import { LoaderCircle, type LucideIcon } from 'lucide-react'

const looks = {
  primary: 'bg-primary text-on-primary hover:bg-primary-hover border-transparent font-semibold shadow-low',
  plain: 'bg-surface text-ink border-line-strong hover:bg-hover font-medium shadow-low',
  quiet: 'bg-transparent text-ink-soft border-transparent hover:bg-hover hover:text-ink font-medium',
  danger:
    'bg-danger text-surface border-transparent hover:opacity-90 font-semibold shadow-low dark:text-canvas',
}

const base =
  'inline-flex items-center justify-center gap-2 rounded-lg border text-sm whitespace-nowrap select-none ' +
  'transition-colors duration-100 disabled:pointer-events-none disabled:opacity-55'

export function buttonClass(look: keyof typeof looks = 'plain', size: 'small' | 'normal' = 'normal'): string {
  return clsx(base, looks[look], size === 'small' ? 'h-7 px-2.5' : 'h-9 px-3.5')
}

interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks
  size?: 'small' | 'normal'
  icon?: LucideIcon
  /** Shows that the action is running and prevents starting it twice. */
  busy?: boolean
}

export function Button({ look, size, icon: Icon, busy, children, className, ...rest }: ButtonProps) {
  const Sign = busy ? LoaderCircle : Icon
  return (
    <button
      type="button"
      {...rest}
      disabled={busy || rest.disabled}
      aria-busy={busy}
      className={clsx(buttonClass(look, size), className)}
    >
      {Sign && <Sign aria-hidden className={clsx('size-4 shrink-0', busy && 'animate-spin')} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string
  icon: LucideIcon
}

export function IconButton({ label, icon: Icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={clsx(
        'inline-grid size-8 shrink-0 place-items-center rounded-lg text-ink-faint transition-colors',
        'hover:bg-hover hover:text-ink data-[state=open]:bg-hover data-[state=open]:text-ink',
        className,
      )}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  )
}
