import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Copy, Search, Users, type LucideIcon } from 'lucide-react'
import { toast } from 'sonner'
import { clientAddress } from '../api/client-address.ts'
import { useCurrentGroup, useMe, useSelectGroup } from '../api/session.ts'
import { welcomeQuery } from '../api/welcome.ts'
import { copyText } from '../ui/copy-button.tsx'
import { navigationOf } from './navigation.ts'
import { shellRoute } from './shell-api.ts'
import { useFound } from './use-found.ts'
import { themeIcons, themeNames } from './theme-look.ts'
import { setTheme, themes, useTheme } from './theme.ts'

/** Every page and command, by keyboard. */
export default function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { features } = shellRoute.useRouteContext()
  const me = useMe()
  const current = useCurrentGroup()
  const selectGroup = useSelectGroup()
  const theme = useTheme()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const welcome = useQuery({ ...welcomeQuery(current?.id), enabled: open })
  useEffect(() => {
    if (!open) setText('')
  }, [open])
  const found = useFound(features, open ? text : '', current?.id)
  const finish = (act: () => unknown) => () => {
    onClose()
    void act()
  }
  const copyAddress = async (address: string) => {
    if (await copyText(address)) toast.success('Base URL copied', { description: address })
  }
  const otherGroups = me.groups.filter((group) => group.id !== current?.id)
  return (
    <Command.Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      label="Search or run a command"
      overlayClassName="fixed inset-0 z-40 animate-fade bg-scrim backdrop-blur-[2px]"
      contentClassName="fixed inset-x-3 top-[12dvh] z-50 mx-auto max-w-xl animate-rise overflow-hidden rounded-2xl border border-line bg-surface shadow-high outline-none"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4 text-ink-faint" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Search or run a command"
          className="h-13 w-full bg-transparent text-[1rem] outline-none placeholder:text-ink-faint"
        />
      </div>
      <Command.List className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-y-auto p-2">
        {found.length > 0 && (
          <PaletteGroup heading="Found" always>
            {found.map(({ id, label, kind, icon, go }) => (
              <Entry
                key={`${kind} ${id}`}
                always
                value={`${kind} ${id}`}
                icon={icon}
                label={label}
                note={kind}
                onSelect={finish(() => navigate(go))}
              />
            ))}
          </PaletteGroup>
        )}
        <PaletteGroup heading="Go to">
          {navigationOf(features).flatMap(({ entries }) =>
            entries.map(({ label, icon, page }) => (
              <Entry
                key={label}
                icon={icon}
                label={label}
                onSelect={finish(() => navigate({ to: page.to as string }))}
              />
            )),
          )}
        </PaletteGroup>
        <PaletteGroup heading="Commands">
          {features
            .flatMap((feature) => feature.commands ?? [])
            .map(({ label, icon, keywords, go }) => (
              <Entry
                key={label}
                icon={icon}
                label={label}
                keywords={keywords}
                onSelect={finish(() => navigate(go))}
              />
            ))}
          {welcome.data && (
            <Entry
              icon={Copy}
              label="Copy base URL"
              keywords={['address', 'endpoint']}
              onSelect={finish(() => copyAddress(clientAddress(welcome.data.base_url)))}
            />
          )}
          {otherGroups.map((group) => (
            <Entry
              key={group.id}
              icon={Users}
              label={`Switch to group ${group.name}`}
              keywords={['group']}
              onSelect={finish(() => selectGroup(group.id))}
            />
          ))}
          {themes
            .filter((choice) => choice !== theme)
            .map((choice) => (
              <Entry
                key={choice}
                icon={themeIcons[choice]}
                label={`Use ${themeNames[choice].toLowerCase()} theme`}
                onSelect={finish(() => setTheme(choice))}
              />
            ))}
        </PaletteGroup>
        {text.trim() !== '' && (
          <PaletteGroup heading="Search" always>
            {features
              .flatMap(({ lookUp }) => lookUp?.(text.trim()) ?? [])
              .map(({ label, icon, go }) => (
                <Entry key={label} always icon={icon} label={label} onSelect={finish(() => navigate(go))} />
              ))}
          </PaletteGroup>
        )}
      </Command.List>
      <p aria-hidden className="hidden gap-4 border-t border-line px-5 py-2 text-xs text-ink-faint sm:flex">
        <span>↑↓ move</span>
        <span>↵ select</span>
        <span>esc close</span>
        <span className="ml-auto">? shortcuts</span>
      </p>
    </Command.Dialog>
  )
}

interface PaletteGroupProps {
  heading: string
  /** Shown for any text. */
  always?: boolean
  children: React.ReactNode
}

function PaletteGroup({ heading, always = false, children }: PaletteGroupProps) {
  return (
    <Command.Group
      heading={heading}
      forceMount={always}
      className="mb-1 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-faint"
    >
      {children}
    </Command.Group>
  )
}

interface EntryProps {
  icon: LucideIcon
  label: string
  keywords?: string[] | undefined
  always?: boolean
  /** What tells it apart from others with its label. */
  value?: string
  note?: string
  onSelect: () => void
}

function Entry({ icon: Icon, label, keywords = [], always = false, value, note, onSelect }: EntryProps) {
  return (
    <Command.Item
      value={value ?? label}
      keywords={keywords}
      forceMount={always}
      onSelect={onSelect}
      className="flex h-10 items-center gap-3 rounded-lg px-3 text-sm select-none data-[selected=true]:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1 truncate" title={label}>
        {label}
      </span>
      {note !== undefined && <span className="text-xs text-ink-faint">{note}</span>}
    </Command.Item>
  )
}
