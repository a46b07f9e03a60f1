import type { CurrentGroup } from '../../../api/session.ts'
import { mayManage } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Page } from '../../../ui/page.tsx'
import { SqlTabs } from '../sql-tabs.tsx'
import { GrantsCard } from './grants-card.tsx'
import { MasksCard } from './masks-card.tsx'

export const RulesPage = inGroup(Rules)

function Rules({ group }: { group: CurrentGroup }) {
  const manages = mayManage(group.role)
  return (
    <Page
      title="SQL"
      description="Columns that are masked for everyone, and temporary permissions of agents. The rules of one agent are in its policy."
      wide
    >
      <SqlTabs groupId={group.id} />
      <div className="space-y-6">
        <GrantsCard group={group} manages={manages} />
        <MasksCard group={group} manages={manages} />
      </div>
    </Page>
  )
}
