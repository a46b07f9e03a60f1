import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MessagesSquare, ScrollText } from 'lucide-react'
import { clientAddress } from '../../api/client-address.ts'
import { welcomeQuery } from '../../api/welcome.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'

const example = (address: string) => `curl ${address}/chat/completions \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "gpt-5-mini", "messages": [{"role": "user", "content": "Hello"}]}'`

/** Before the first request: how to send one, while the page waits for it. */
export function FirstRequest({ groupId, isLive }: { groupId: string; isLive: boolean }) {
  const welcome = useQuery(welcomeQuery(groupId))
  return (
    <div className="space-y-5">
      <EmptyState
        icon={ScrollText}
        title="No requests yet"
        action={
          <>
            <Link to="/playground" className={buttonClass('primary')}>
              <MessagesSquare aria-hidden className="size-4" /> Try a model
            </Link>
            <Link to="/keys" search={{ new: true }} className={buttonClass()}>
              Create key
            </Link>
          </>
        }
      >
        Every request through the gateway is logged here with its tokens, duration and exact cost. Send one
        from the playground, or from your app with an API key.
      </EmptyState>
      {welcome.data && (
        <CodeBlock
          language="bash"
          what="Send a request"
          source={example(clientAddress(welcome.data.base_url))}
        />
      )}
      {isLive && (
        <p className="flex justify-center text-sm text-ink-soft">
          <StatusDot status="warning" blinking>
            Waiting for the first request. It appears here automatically.
          </StatusDot>
        </p>
      )}
    </div>
  )
}
