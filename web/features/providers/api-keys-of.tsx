import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { keysQuery } from '../../api/keys.ts'
import { Card } from '../../ui/page.tsx'

/** The API keys whose requests name this provider key; nothing where there are none. */
export function ApiKeysOf({ groupId, id }: { groupId: string; id: string }) {
  const { data = [] } = useQuery(keysQuery(groupId))
  const using = data.filter(
    ({ provider_key_overrides: overrides, revoked_at }) =>
      revoked_at === null && Object.values(overrides).includes(id),
  )
  if (using.length === 0) return null
  return (
    <Card title="API keys that select it">
      <ul className="space-y-1.5 text-sm">
        {using.map((key) => (
          <li key={key.id} className="[overflow-wrap:anywhere]">
            <Link to="/keys/$id" params={{ id: key.id }} className="hover:underline">
              {key.name}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
