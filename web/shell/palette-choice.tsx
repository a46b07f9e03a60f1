import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCurrentGroup, useMe } from '../api/session.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import type { Choosing } from './feature.ts'
import { PaletteEntry, PaletteGroup } from './palette-entry.tsx'

const maxShown = 50

/** The things that a command can be about. */
export function PaletteChoice({
  command: { label, choose },
  text,
  onClose,
}: {
  command: Choosing
  text: string
  onClose: () => void
}) {
  const group = useCurrentGroup()
  const userId = useMe().user?.id ?? null
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const asked = useDebounced(text.trim(), 150)
  const { data, error } = useQuery({
    queryKey: ['palette-choice', group?.id, label, asked],
    queryFn: () =>
      group ? choose.find(asked, { groupId: group.id, role: group.role, userId, queryClient }) : [],
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  const note =
    error?.message ?? (data?.length === 0 ? (asked === '' ? choose.none : 'No matches.') : undefined)
  if (note !== undefined)
    return (
      <p role="status" className="px-3 py-6 text-center text-sm text-ink-soft">
        {note}
      </p>
    )
  return (
    <PaletteGroup heading={choose.prompt} always>
      {data?.slice(0, maxShown).map(({ id, label: name, kind, icon, go }) => (
        <PaletteEntry
          key={id}
          always
          value={id}
          icon={icon}
          label={name}
          note={kind}
          onSelect={() => {
            onClose()
            void navigate(go)
          }}
        />
      ))}
    </PaletteGroup>
  )
}
