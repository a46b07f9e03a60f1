import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/page.tsx'
import { NoMatches } from '../no-matches.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery } from '../record-queries.ts'
import { DeploymentDialog } from './deployment-dialog.tsx'
import { DeploymentFilter } from './deployment-filter.tsx'
import { DeploymentTable } from './deployment-table.tsx'
import { readDeploymentsAddress } from './deployments-address.ts'
import { FirstDeployment } from './first-deployment.tsx'

const route = getRouteApi('/shell/deployments')

export const DeploymentsPage = inGroup(Deployments)

function Deployments({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const { new: isAdding, ...filter } = address
  const navigate = route.useNavigate()
  const setAdding = (adding: boolean) =>
    void navigate({ search: readDeploymentsAddress({ ...address, new: adding }), replace: true })
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Page
      title="Deployments"
      description="What was deployed where, by whom, how long it took and how it ended."
      wide
      actions={
        mayWrite(group) && (
          <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
            Add deployment
          </Button>
        )
      }
    >
      <div className="space-y-4">
        <DeploymentFilter
          groupId={group.id}
          address={address}
          onChange={(part) =>
            void navigate({ search: readDeploymentsAddress({ ...address, ...part }), replace: true })
          }
        />
        <PagedList
          query={listQuery(group.id, '/api/deployments', { query: filter })}
          every={15_000}
          empty={
            isFiltered ? (
              <NoMatches
                noun="deployment"
                plural="deployments"
                onClear={() => void navigate({ search: {}, replace: true })}
              />
            ) : (
              <FirstDeployment groupId={group.id} />
            )
          }
        >
          {(deployments) => <DeploymentTable group={group} deployments={deployments} />}
        </PagedList>
      </div>
      {isAdding === true && <DeploymentDialog groupId={group.id} onClose={() => setAdding(false)} />}
    </Page>
  )
}
