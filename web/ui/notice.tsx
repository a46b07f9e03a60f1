import type { ReactNode } from 'react'
import { clsx } from 'clsx'
import { Info, OctagonAlert, RotateCw, TriangleAlert } from 'lucide-react'
import { adviceFor } from '../api/advice.ts'
import { Button } from './button.tsx'

const tones = {
  info: { look: 'bg-info-soft text-info', icon: Info },
  warning: { look: 'bg-accent-soft text-accent', icon: TriangleAlert },
  danger: { look: 'bg-danger-soft text-danger', icon: OctagonAlert },
}

interface NoticeProps {
  tone: keyof typeof tones
  title: string
  children?: ReactNode
}

export function Notice({ tone, title, children }: NoticeProps) {
  const { look, icon: Icon } = tones[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'note'}
      className={clsx('flex gap-3 rounded-xl px-4 py-3 text-sm', look)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">{title}</p>
        {children !== undefined && <div className="mt-0.5 text-ink-soft">{children}</div>}
      </div>
    </div>
  )
}

/** What went wrong and what to do next, with a button to try again where that can help. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const { title, next } = adviceFor(error)
  return (
    <Notice tone="danger" title={title}>
      <p>{next}</p>
      {onRetry && (
        <Button size="small" icon={RotateCw} className="mt-2.5 mb-0.5" onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </Notice>
  )
}
