import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Card } from '../../ui/page.tsx'
import { routesQuery } from './route-queries.ts'

/** The routes that a model is a target of; nothing where there are none. */
export function RoutesOfModel({ groupId, names }: { groupId: string; names: readonly string[] }) {
  const { data = [] } = useQuery(routesQuery(groupId))
  const routes = data.filter(({ targets }) =>
    targets.some(({ model }) => names.some((name) => model === name || model.endsWith(`/${name}`))),
  )
  if (routes.length === 0) return null
  return (
    <Card title="Routes">
      <ul className="space-y-1.5 text-sm">
        {routes.map(({ name }) => (
          <li key={name} className="[overflow-wrap:anywhere]">
            <Link to="/routes/$name" params={{ name }} className="font-mono hover:underline">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
