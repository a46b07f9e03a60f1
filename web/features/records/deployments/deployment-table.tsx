import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { Deployment } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { timeValue } from '../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../ui/table.tsx'
import { DeleteDialog } from '../delete-dialog.tsx'
import { durationText } from '../../../ui/quantity.ts'
import { RowMenu } from '../row-menu.tsx'
import { DeploymentDialog } from './deployment-dialog.tsx'
import { statusNames, statusTones } from './deployment-words.ts'

interface DeploymentTableProps {
  group: CurrentGroup
  deployments: Deployment[]
}

export function DeploymentTable({ group, deployments }: DeploymentTableProps) {
  const [edited, setEdited] = useState<Deployment | undefined>()
  const [deleted, setDeleted] = useState<Deployment | undefined>()
  const columns = ['Service', 'Status', 'Environment', 'Commit', 'Duration', 'Started', 'Actions']
  return (
    <>
      <Table
        label="Deployments"
        columns={columns}
        rows={deployments}
        sortBy={{
          Service: ({ service }) => service,
          Status: ({ status }) => statusNames[status],
          Environment: ({ environment }) => environment,
          Commit: ({ commit }) => commit,
          Duration: buildMs,
          Started: ({ started_at }) => timeValue(started_at),
        }}
      >
        {(deployment) => (
          <DeploymentRow
            key={deployment.id}
            group={group}
            deployment={deployment}
            onEdit={() => setEdited(deployment)}
            onDelete={() => setDeleted(deployment)}
          />
        )}
      </Table>
      {edited && (
        <DeploymentDialog groupId={group.id} deployment={edited} onClose={() => setEdited(undefined)} />
      )}
      {deleted && (
        <DeleteDialog
          groupId={group.id}
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

/** How long it took; null while it runs. */
const buildMs = ({ started_at, finished_at }: Deployment): number | null =>
  finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at)

const nameOf = ({ service, version }: Deployment): string =>
  version === null ? service : `${service} ${version}`

interface DeploymentRowProps {
  group: CurrentGroup
  deployment: Deployment
  onEdit: () => void
  onDelete: () => void
}

function DeploymentRow({ group, deployment, onEdit, onDelete }: DeploymentRowProps) {
  const { service, version, status, started_at, finished_at, commit, url, deployed_by, is_rework } =
    deployment
  return (
    <Row>
      <Cell part="lead">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <Link to="/services/$name" params={{ name: service }} className="font-medium hover:underline">
              {service}
            </Link>
            {version !== null && <span className="font-mono text-xs text-ink-soft">{version}</span>}
            {is_rework && <Badge tone="accent">rework</Badge>}
          </p>
          {deployed_by !== null && <p className="text-xs text-ink-faint">by {deployed_by}</p>}
        </div>
      </Cell>
      <Cell label="Status">
        <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>
      </Cell>
      <Cell label="Environment" className="text-sm">
        {deployment.environment}
      </Cell>
      <Cell label="Commit" className="font-mono text-xs">
        <CommitText commit={commit} url={url} />
      </Cell>
      <Cell label="Duration" className="text-sm whitespace-nowrap">
        {finished_at === null ? '–' : durationText(Date.parse(finished_at) - Date.parse(started_at))}
      </Cell>
      <Cell label="Started" className="text-sm text-ink-soft">
        <MomentText time={started_at} />
      </Cell>
      <Cell part="actions">
        {mayWrite(group) && (
          <RowMenu name={nameOf(deployment)} noun="deployment" onEdit={onEdit} onDelete={onDelete} />
        )}
      </Cell>
    </Row>
  )
}

function CommitText({ commit, url }: { commit: string | null; url: string | null }) {
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
