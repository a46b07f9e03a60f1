import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Globe } from 'lucide-react'
import { mayManage, useCurrentGroup } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { reporterQuery, setReporter } from './console-queries.ts'

interface BrowserErrorsProps {
  groupId: string
  address: string
}

/** A script for any page that reports its errors. It works without a key, so a group switches it on. */
export function BrowserErrors({ groupId, address }: BrowserErrorsProps) {
  const queryClient = useQueryClient()
  const role = useCurrentGroup()?.role
  const { data, error, refetch } = useQuery(reporterQuery(groupId))
  const change = useMutation({
    mutationFn: setReporter,
    onSuccess: (reporter) => queryClient.setQueryData(reporterQuery(groupId).queryKey, reporter),
  })
  if (error) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (!data) return <Skeleton className="h-32" />
  const isOn = data.public_id !== null
  return (
    <div className="space-y-3 text-sm text-ink-soft">
      {isOn ? (
        <CodeBlock
          what="Add to the head of a page"
          source={`<script src="${address}/api/console/frontend-errors.js?id=${data.public_id}"></script>`}
        />
      ) : (
        <p>
          A script of 1 KB reports uncaught errors of your web pages as events of the source “frontend”.
          Visitors have no API key, so reports are off until an admin of the group switches them on.
        </p>
      )}
      {change.error && <FailureNotice error={change.error} />}
      {mayManage(role) && (
        <Button
          icon={Globe}
          look={isOn ? 'plain' : 'primary'}
          busy={change.isPending}
          onClick={() => change.mutate({ enabled: !isOn, origins: data.origins })}
        >
          {isOn ? 'Stop browser reports' : 'Allow browser reports'}
        </Button>
      )}
    </div>
  )
}
