import { useQuery } from '@tanstack/react-query'
import { welcomeQuery } from '../../../api/welcome.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'

/** How another machine sends its sessions. */
export function WatchCommand({ groupId }: { groupId: string }) {
  const { data } = useQuery(welcomeQuery(groupId))
  if (!data) return null
  const address = data.base_url.replace(/\/+$/, '')
  return (
    <div className="space-y-2">
      <CodeBlock
        language="bash"
        what="Watch a machine"
        source={`export SIGNALBOX_API_KEY=sb-…\nnpx signalbox watch --to ${address}`}
      />
      <p className="text-xs text-ink-faint">
        The key needs the scope “events”. Secrets are masked before anything leaves the machine, and the
        watcher continues where it stopped.
      </p>
    </div>
  )
}
