import { useEffect, useState } from 'react'
import { RefreshCw } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { useSyncModels } from './provider-queries.ts'
import { syncInWords } from './sync-words.ts'

/** Loads the aggregator's list of models and prices into Signalbox. */
export function ModelSync({ groupId, name, manages }: { groupId: string; name: string; manages: boolean }) {
  const sync = useSyncModels(groupId)
  if (!manages) return null
  return (
    <div className="border-t border-line bg-sunken px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="min-w-0 flex-1 basis-56 text-sm text-ink-soft">
          {sync.isPending ? (
            <Running name={name} />
          ) : sync.data ? (
            syncInWords(sync.data)
          ) : (
            'Loads the names, prices and capabilities of all models.'
          )}
        </p>
        <Button size="small" icon={RefreshCw} busy={sync.isPending} onClick={() => sync.mutate()}>
          Sync models
        </Button>
      </div>
      {sync.isPending && (
        <div aria-hidden className="mt-2.5 h-1 overflow-hidden rounded-full bg-hover">
          <div className="h-full animate-[slide_1.4s_ease-in-out_infinite] rounded-full bg-primary" />
        </div>
      )}
      {sync.error && (
        <div className="mt-3">
          <FailureNotice error={sync.error} />
        </div>
      )}
    </div>
  )
}

function Running({ name }: { name: string }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      Loading models from {name}
      {seconds > 0 && <span className="text-ink-faint"> · {seconds} s</span>}
    </>
  )
}
