import type { UsageLogDetail } from '#usage/contract'
import type { CurrentGroup } from '../../api/session.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CostSection } from './cost-section.tsx'
import { Facts } from './facts.tsx'
import { Part } from './part.tsx'
import { factsOf, tokenFactsOf } from './record-facts.tsx'

export function LogDetail({ log, group }: { log: UsageLogDetail; group: CurrentGroup }) {
  const metadata = log.metadata !== null && Object.keys(log.metadata).length > 0 ? log.metadata : undefined
  return (
    <>
      {log.error_message !== null && (
        <Notice
          tone={log.status_code === 499 ? 'warning' : 'danger'}
          title={log.status_code === 499 ? 'Client disconnected' : 'Request failed'}
        >
          {log.error_message}
        </Notice>
      )}
      <CostSection log={log} group={group} />
      <Part title="Tokens">
        <Facts facts={tokenFactsOf(log)} />
      </Part>
      <Part title="Request">
        <Facts facts={factsOf(log)} />
      </Part>
      {metadata && (
        <Part title="Metadata">
          <CodeBlock language="json" what="Request metadata" source={JSON.stringify(metadata, null, 2)} />
        </Part>
      )}
      <CopyButton labelled text={JSON.stringify(log, null, 2)} what="as JSON" />
    </>
  )
}
