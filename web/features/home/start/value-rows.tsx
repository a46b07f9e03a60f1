import { Plus } from 'lucide-react'
import { clientAddress } from '../../../api/client-address.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import type { useQuickKey } from './quick-key.ts'

function ValueRow({ value, what }: { value: string; what: string }) {
  return (
    <div className="flex items-center gap-2 rounded-xl border border-line bg-surface py-1.5 pr-1.5 pl-4 shadow-low">
      <code className="min-w-0 flex-1 font-mono text-sm break-all select-all">{value}</code>
      <CopyButton text={value} what={what} />
    </div>
  )
}

export function AddressRow({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <ValueRow value={clientAddress(baseUrl)} what="base URL" />
      <p className="mt-2 text-sm text-ink-soft">
        The base URL for any OpenAI client. Many clients read it from <Variable name="OPENAI_BASE_URL" />.
      </p>
    </>
  )
}

interface KeyRowProps {
  value: string | null
  create: ReturnType<typeof useQuickKey>['create']
}

export function KeyRow({ value, create }: KeyRowProps) {
  if (value !== null)
    return (
      <>
        <ValueRow value={value} what="key" />
        <p className="mt-2 text-sm text-ink-soft">
          Copy it now: only a hash is stored, so it can’t be shown again later. Clients read it from{' '}
          <Variable name="OPENAI_API_KEY" />.
        </p>
      </>
    )
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-dashed border-line-strong px-4 py-3">
        <p className="text-sm text-ink-soft">
          Existing keys can’t be shown again. Create one to fill in the snippets.
        </p>
        <Button look="primary" icon={Plus} busy={create.isPending} onClick={() => create.mutate()}>
          Create key
        </Button>
      </div>
      {create.error && <FailureNotice error={create.error} />}
    </div>
  )
}

function Variable({ name }: { name: string }) {
  return <code className="rounded bg-sunken px-1 py-0.5 font-mono text-xs text-ink">{name}</code>
}
