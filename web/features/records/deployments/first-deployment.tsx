import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound, Rocket, Webhook } from 'lucide-react'
import { welcomeQuery } from '../../../api/welcome.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { deploymentSnippets } from './snippets.ts'

/** Before the first deployment: how to report one. */
export function FirstDeployment({ groupId }: { groupId: string }) {
  const welcome = useQuery(welcomeQuery(groupId))
  const [shown, setShown] = useState('curl')
  return (
    <div className="space-y-5">
      <EmptyState
        icon={Rocket}
        title="No deployments yet"
        action={
          <>
            <Link to="/webhooks" className={buttonClass('primary')}>
              <Webhook aria-hidden className="size-4" /> Connect GitHub or GitLab
            </Link>
            <Link to="/keys" search={{ new: true }} className={buttonClass()}>
              <KeyRound aria-hidden className="size-4" /> Create key
            </Link>
          </>
        }
      >
        A webhook reports them automatically. Or let your pipeline send them, with an API key that has the
        scope “events”.
      </EmptyState>
      {welcome.data && (
        <Tabs
          label="Ways to send a deployment"
          value={shown}
          onChange={setShown}
          tabs={deploymentSnippets(welcome.data.base_url.replace(/\/+$/, '')).map(
            ({ id, label, language, source }) => ({
              id,
              label,
              content: <CodeBlock language={language} what={`Send a deployment: ${label}`} source={source} />,
            }),
          )}
        />
      )}
    </div>
  )
}
