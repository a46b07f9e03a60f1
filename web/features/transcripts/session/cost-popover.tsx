import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { CircleDollarSign } from 'lucide-react'
import type { TranscriptDetail } from '#transcripts/contract'
import { exactDollars, shortDollars } from '../../../ui/money.ts'
import { Popover } from '../../../ui/popover.tsx'
import { counted } from '../../../ui/quantity.ts'

/** The cost from the usage log, by model, with a link to the requests. */
export function CostPopover({ session }: { session: TranscriptDetail }) {
  const [open, setOpen] = useState(false)
  const { cost, costs, calls_without_message: extra } = session
  if (cost === null && costs.length === 0)
    return (
      <span className="text-ink-faint" title="No request of this session went through the gateway.">
        Cost unknown
      </span>
    )
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Cost by model"
      trigger={
        <button
          type="button"
          title="Cost by model"
          className="inline-flex items-center gap-1.5 underline decoration-line-strong underline-offset-2 hover:text-ink"
        >
          <CircleDollarSign aria-hidden className="size-3.5 text-ink-faint" />
          {cost === null ? 'Cost unknown' : shortDollars(cost)}
        </button>
      }
    >
      <div className="space-y-3 overflow-y-auto p-4 text-sm">
        <table className="w-full">
          <tbody>
            {costs.map(({ model, requests, cost: part, unpriced }) => (
              <tr key={model}>
                <td className="max-w-40 truncate py-0.5 pr-3" title={model}>
                  {model}
                </td>
                <td className="pr-3 text-right text-ink-faint">{counted(requests, 'request')}</td>
                <td className="text-right font-mono text-xs">
                  {part === null ? 'unpriced' : exactDollars(part)}
                  {part !== null && unpriced > 0 && ` + ${unpriced} unpriced`}
                </td>
              </tr>
            ))}
            {cost !== null && (
              <tr className="border-t border-line font-medium">
                <td className="pt-1.5">Total</td>
                <td />
                <td className="pt-1.5 text-right font-mono text-xs">{exactDollars(cost)}</td>
              </tr>
            )}
          </tbody>
        </table>
        {extra !== null && extra > 0 && (
          <p className="text-xs text-pretty text-ink-faint">
            {counted(extra, 'request')} {extra === 1 ? 'has' : 'have'} no message here, such as titles,
            compactions and refused requests.
          </p>
        )}
        <Link
          to="/logs"
          search={{ session: session.external_id }}
          className="inline-block underline underline-offset-2"
        >
          Show the requests in the log
        </Link>
      </div>
    </Popover>
  )
}
