import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Agent } from '#agents/contract'
import { storedPolicySchema } from '#sql/contract'
import { Select, Textarea } from '../../ui/input.tsx'
import { Card } from '../../ui/page.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { DecisionBar, explanationQuery } from '../sql/index.ts'

/** Try a statement against the policy; nothing runs. */
export function TryPolicy({ groupId, agent }: { groupId: string; agent: Agent }) {
  const databases = storedPolicySchema.safeParse(agent.config.policy).data?.allowed_databases ?? []
  const [database, setDatabase] = useState(databases[0] ?? '')
  const [sql, setSql] = useState('DELETE FROM orders')
  const asked = useDebounced(sql, 250)
  const question = { database, sql: asked, agent_id: agent.id }
  const { data, error } = useQuery(explanationQuery(groupId, question, agent.policy_version))
  return (
    <Card title="Try it" description="What the saved policy does with a statement. Nothing runs.">
      <div className="space-y-3">
        <Select
          aria-label="Database"
          className="sm:w-56"
          value={database}
          onChange={(event) => setDatabase(event.target.value)}
        >
          {databases.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Textarea
          aria-label="Statement to try"
          className="min-h-20 font-mono text-xs"
          spellCheck={false}
          value={sql}
          onChange={(event) => setSql(event.target.value)}
        />
        <DecisionBar explanation={sql.trim() === '' ? undefined : data} error={error} />
      </div>
    </Card>
  )
}
