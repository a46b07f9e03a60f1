import { durationText } from '../../ui/quantity.ts'

interface TimeBarProps {
  upstream: number
  own: number
}

/** The duration of a request in its two parts: at providers, and here. */
export function TimeBar({ upstream, own }: TimeBarProps) {
  const share = own / Math.max(1, upstream + own)
  return (
    <div className="mt-1.5 mb-0.5">
      <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-hover">
        <span className="h-full grow bg-success-strong" />
        {own > 0 && (
          <span className="h-full min-w-0.5 bg-primary" style={{ width: `${(share * 100).toFixed(2)}%` }} />
        )}
      </div>
      <p className="mt-1 flex flex-wrap gap-x-4 text-xs text-ink-faint">
        <Share look="bg-success-strong" text={`${durationText(upstream)} at providers`} />
        <Share look="bg-primary" text={`${durationText(own)} here`} />
      </p>
    </div>
  )
}

const Share = ({ look, text }: { look: string; text: string }) => (
  <span className="flex items-center gap-1.5 whitespace-nowrap">
    <span aria-hidden className={`size-1.5 rounded-full ${look}`} />
    {text}
  </span>
)
