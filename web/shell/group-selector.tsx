import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Users } from 'lucide-react'
import { useCurrentGroup, useMe, useSelectGroup } from '../api/session.ts'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx'
import { timeZone } from '../ui/moment.ts'

/** Selects the group that the dashboard shows. */
export function GroupSelector() {
  const me = useMe()
  const current = useCurrentGroup()
  const selectGroup = useSelectGroup()
  const navigate = useNavigate()
  const name = current?.name ?? 'No group'
  return (
    <Menu
      align="start"
      matchTrigger
      trigger={
        <button
          type="button"
          className="flex h-11 w-full items-center gap-2.5 rounded-lg border border-line bg-surface px-2 text-left shadow-low transition-colors hover:border-line-strong"
        >
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-md bg-accent-soft text-xs font-semibold text-accent uppercase"
          >
            {name.slice(0, 1)}
          </span>
          <span className="sr-only">Group: </span>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate text-sm font-medium">{name}</span>
            <span
              className="block truncate text-xs text-ink-faint"
              title="Your role, and the time zone of all pages"
            >
              {current ? `${current.role} · ${timeZone()}` : 'ask for an invitation'}
            </span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
        </button>
      }
    >
      {me.groups.length > 0 && <MenuLabel>Groups</MenuLabel>}
      {me.groups.map((group) => (
        <MenuItem
          key={group.id}
          checked={group.id === current?.id}
          onSelect={() => void selectGroup(group.id)}
        >
          {group.name}
        </MenuItem>
      ))}
      {me.groups.length > 0 && <MenuLine />}
      <MenuItem icon={Users} onSelect={() => void navigate({ to: '/groups' })}>
        Manage groups
      </MenuItem>
    </Menu>
  )
}
