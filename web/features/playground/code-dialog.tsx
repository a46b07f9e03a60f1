import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { welcomeQuery } from '../../api/welcome.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Ask } from './conversation.ts'
import { presentTurns } from './present-turns.ts'
import { apis, type Api } from './request-apis.ts'
import { snippetsFor } from './snippets.ts'
import type { Turn } from './types.ts'

interface CodeDialogProps {
  turns: readonly Turn[]
  /** Typed but not sent yet. */
  text: string
  ask: Ask
  groupId: string
  onClose: () => void
}

export function CodeDialog({ turns, text, ask, groupId, onClose }: CodeDialogProps) {
  const [language, setLanguage] = useState('curl')
  const [api, setApi] = useState<Api>('chat')
  const [stream, setStream] = useState(false)
  const welcome = useQuery(welcomeQuery(groupId))
  const { snippets, notes } = snippetsFor({
    baseUrl: welcome.data?.base_url ?? location.origin,
    body: ask(presentTurns(turns, text)),
    api,
    stream,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Get code"
      description="The current conversation as a request. Replace YOUR_KEY with a key of this group."
      wide
    >
      <DialogBody>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Segmented label="API" choices={apis} value={api} onChange={setApi} />
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={stream}
              onChange={(event) => setStream(event.target.checked)}
              className="size-4 accent-[var(--primary)]"
            />
            Stream the response
          </label>
        </div>
        <Tabs
          label="Language"
          value={language}
          onChange={setLanguage}
          tabs={snippets.map((snippet) => ({
            id: snippet.id,
            label: snippet.label,
            content: (
              <CodeBlock
                source={snippet.source}
                language={snippet.language}
                what={`${snippet.label} snippet`}
              />
            ),
          }))}
        />
        {notes.length > 0 && (
          <ul aria-label="Notes" className="space-y-1 text-xs text-ink-soft">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </DialogBody>
    </Dialog>
  )
}
