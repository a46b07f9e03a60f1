import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { servicesQuery } from '../../../api/services.ts'

/** A service by its title. Deployments may name one that is not registered: it has no page. */
export function ServiceLink({ groupId, name }: { groupId: string; name: string }) {
  const found = useQuery(servicesQuery(groupId)).data?.find((service) => service.name === name)
  if (!found) return name
  return (
    <Link to="/services/$name" params={{ name }} className="hover:underline">
      {found.title}
    </Link>
  )
}
