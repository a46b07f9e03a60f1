import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { welcomeQuery } from '../../api/welcome.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { BrowserErrors } from './browser-errors.tsx'
import { snippetsOf } from './snippets.ts'

/** Ways to send events, with the real address of this server. */
export function SendEvents({ groupId }: { groupId: string }) {
  const welcome = useQuery(welcomeQuery(groupId))
  const [shown, setShown] = useState('curl')
  if (welcome.error) return <FailureNotice error={welcome.error} onRetry={() => welcome.refetch()} />
  if (!welcome.data) return <Skeleton className="h-48" />
  const address = welcome.data.base_url.replace(/\/+$/, '')
  const snippets = snippetsOf(address).map(({ id, label, language, source }) => ({
    id,
    label,
    content: <CodeBlock language={language} what={`Send an event with ${label}`} source={source} />,
  }))
  const browser = {
    id: 'browser',
    label: 'Browser',
    content: <BrowserErrors groupId={groupId} address={address} />,
  }
  return <Tabs label="Ways to send events" value={shown} onChange={setShown} tabs={[...snippets, browser]} />
}

interface SendEventsDialogProps {
  groupId: string
  open: boolean
  onClose: () => void
}

export function SendEventsDialog({ groupId, open, onClose }: SendEventsDialogProps) {
  return (
    <Dialog
      wide
      open={open}
      onClose={onClose}
      title="Send events"
      description="From any service, with an API key that has the scope “events” in SIGNALBOX_KEY."
    >
      <DialogBody>
        <SendEvents groupId={groupId} />
      </DialogBody>
    </Dialog>
  )
}
