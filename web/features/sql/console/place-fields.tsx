import type { OfferedDatabase } from '#sql/contract'
import { Input, Select } from '../../../ui/input.tsx'

interface PlaceFieldsProps {
  databases: readonly OfferedDatabase[]
  agents: readonly { id: string; name: string; config: { policy: unknown } }[]
  database: string
  agentId: string
  reason: string
  onChoose: (part: Record<string, string>) => void
  onReason: (reason: string) => void
}

/** Where a statement runs, by whose policy, and why. */
export function PlaceFields(props: PlaceFieldsProps) {
  const { databases, agents, database, agentId, reason, onChoose, onReason } = props
  return (
    <div className="mb-3 grid gap-2 sm:grid-cols-2 xl:grid-cols-[12rem_14rem_1fr]">
      <Select
        aria-label="Database"
        value={database}
        onChange={(event) => onChoose({ database: event.target.value })}
      >
        {databases.map(({ name, is_available }) => (
          <option key={name} value={name}>
            {is_available ? name : `${name} (not available)`}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Policy of the agent"
        value={agentId}
        onChange={(event) => onChoose({ agent: event.target.value })}
      >
        {agents
          .filter(({ config }) => config.policy !== null)
          .map(({ id, name }) => (
            <option key={id} value={id}>{`Policy of ${name}`}</option>
          ))}
      </Select>
      <Input
        aria-label="Reason"
        placeholder="Reason, for the audit log"
        maxLength={1_000}
        className="sm:col-span-2 xl:col-span-1"
        value={reason}
        onChange={(event) => onReason(event.target.value)}
      />
    </div>
  )
}
