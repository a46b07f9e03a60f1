import { useNavigate } from '@tanstack/react-router'
import { EllipsisVertical, LogOut, UserRound } from 'lucide-react'
import { useMe } from '../api/session.ts'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx'
import { useSignOut } from './sign-out.ts'
import { themeIcons, themeNames } from './theme-look.ts'
import { setTheme, themes, useTheme } from './theme.ts'

export function AccountMenu() {
  const me = useMe()
  const theme = useTheme()
  const navigate = useNavigate()
  const signOut = useSignOut('here')
  const name = me.user?.name ?? 'API key'
  return (
    <Menu
      align="start"
      matchTrigger
      trigger={
        <button
          type="button"
          className="flex items-center gap-2.5 rounded-lg px-2 py-1.5 text-left transition-colors hover:bg-hover"
        >
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-ink text-xs font-semibold text-canvas uppercase"
          >
            {name.slice(0, 1)}
          </span>
          <span className="sr-only">Account: </span>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate text-sm font-medium">{name}</span>
            <span className="block truncate text-xs text-ink-faint">
              {me.via === 'local' ? 'On this machine' : me.user?.email}
            </span>
          </span>
          <EllipsisVertical aria-hidden className="size-4 shrink-0 text-ink-faint" />
        </button>
      }
    >
      <MenuItem icon={UserRound} onSelect={() => void navigate({ to: '/account' })}>
        Account
      </MenuItem>
      <MenuLine />
      <MenuLabel>Theme</MenuLabel>
      {themes.map((choice) => (
        <MenuItem
          key={choice}
          icon={themeIcons[choice]}
          checked={choice === theme}
          onSelect={() => setTheme(choice)}
        >
          {themeNames[choice]}
        </MenuItem>
      ))}
      {me.via === 'session' && (
        <>
          <MenuLine />
          <MenuItem icon={LogOut} onSelect={() => signOut.mutate()}>
            Sign out
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
