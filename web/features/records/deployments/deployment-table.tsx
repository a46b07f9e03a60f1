import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { Deployment } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Table } from '../../../ui/table.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { recordsKey } from '../record-queries.ts'
import { durationText } from '../../../ui/quantity.ts'
import { RowMenu } from '../row-menu.tsx'
import { DeploymentDialog } from './deployment-dialog.tsx'
import { buildMs, nameOf, statusNames, statusTones } from './deployment-words.ts'

interface DeploymentTableProps {
  group: CurrentGroup
  deployments: Deployment[]
}

export function DeploymentTable({ group, deployments }: DeploymentTableProps) {
  const [edited, setEdited] = useState<Deployment | undefined>()
  const [deleted, setDeleted] = useState<Deployment | undefined>()
  return (
    <>
      <Table
        label="Deployments"
        rows={deployments}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Service',
            value: ({ service }) => service,
            cell: (deployment) => <Deployed deployment={deployment} />,
          },
          {
            name: 'Status',
            value: ({ status }) => statusNames[status],
            cell: ({ status }) => <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>,
          },
          { name: 'Environment', value: ({ environment }) => environment, className: 'text-sm' },
          {
            name: 'Commit',
            value: ({ commit }) => commit,
            cell: ({ commit, url }) => <CommitText commit={commit} url={url} />,
            className: 'font-mono text-xs',
          },
          {
            name: 'Duration',
            value: buildMs,
            cell: (deployment) => {
              const duration = buildMs(deployment)
              return duration === null ? '–' : durationText(duration)
            },
            className: 'text-sm whitespace-nowrap',
          },
          { name: 'Started', time: ({ started_at }) => started_at },
          {
            name: 'Actions',
            cell: (deployment) =>
              mayWrite(group) && (
                <RowMenu
                  name={nameOf(deployment)}
                  noun="deployment"
                  onEdit={() => setEdited(deployment)}
                  onDelete={() => setDeleted(deployment)}
                />
              ),
          },
        ]}
      />
      {edited && (
        <DeploymentDialog groupId={group.id} deployment={edited} onClose={() => setEdited(undefined)} />
      )}
      {deleted && (
        <DeleteDialog
          queryKey={recordsKey(group.id)}
          remove={() => call('DELETE', '/api/deployments/{id}', { path: { id: deleted.id } })}
          noun="deployment"
          name={nameOf(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <p>The analytics no longer count it. What was deployed stays as it is.</p>
        </DeleteDialog>
      )}
    </>
  )
}

function Deployed({ deployment }: { deployment: Deployment }) {
  const { id, service, version, deployed_by, is_rework } = deployment
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <Link
          to="/deployments/$id"
          params={{ id }}
          aria-label={nameOf(deployment)}
          className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere] hover:underline"
        >
          <span className="font-medium">{service}</span>
          {version !== null && <span className="font-mono text-xs text-ink-soft">{version}</span>}
        </Link>
        {is_rework && <Badge tone="accent">rework</Badge>}
      </p>
      {deployed_by !== null && <p className="text-xs text-ink-faint">by {deployed_by}</p>}
    </div>
  )
}

export function CommitText({ commit, url }: { commit: string | null; url: string | null }) {
  const text = commit === null ? undefined : <span title={commit}>{commit.slice(0, 10)}</span>
  if (url === null) return text ?? '–'
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1 text-accent hover:underline"
    >
      {text ?? 'open'} <ExternalLink aria-hidden className="size-3" />
    </a>
  )
}
