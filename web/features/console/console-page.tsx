import { useParams } from '@tanstack/react-router'
import { useCurrentGroup } from '../../api/session.ts'
import { NoGroup } from '../../shell/no-group.tsx'
import { Console } from './console.tsx'

export function ConsolePage() {
  const group = useCurrentGroup()
  return group === null ? <NoGroup /> : <Console key={group.id} groupId={group.id} source={undefined} />
}

export function SourcePage() {
  const group = useCurrentGroup()
  const { source } = useParams({ from: '/shell/console/$source' })
  return group === null ? (
    <NoGroup />
  ) : (
    <Console key={`${group.id} ${source}`} groupId={group.id} source={source} />
  )
}
