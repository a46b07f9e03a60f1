import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { CheckCheck, Copy, TriangleAlert, Users } from 'lucide-react'
import { toast } from 'sonner'
import { attentionQuery } from '../api/attention.ts'
import { call } from '../api/client.ts'
import { clientAddress } from '../api/client-address.ts'
import { bellKey } from '../api/notifications.ts'
import { useCurrentGroup, useMe, useSelectGroup } from '../api/session.ts'
import { welcomeQuery } from '../api/welcome.ts'
import { copyText } from '../ui/copy-button.tsx'
import { mayUse, type Choosing } from './feature.ts'
import { navigationOf } from './navigation.ts'
import { PaletteEntry as Entry, PaletteGroup } from './palette-entry.tsx'
import { shellRoute } from './shell-api.ts'
import { themeIcons, themeNames } from './theme-look.ts'
import { setTheme, themes, useTheme } from './theme.ts'
import { useFound } from './use-found.ts'

interface PaletteCommandsProps {
  open: boolean
  text: string
  onChoose: (command: Choosing) => void
  onClose: () => void
}

/** Of what needs attention, before anything is typed. */
const maxAttention = 3

/** What needs attention, what was found, pages, and what the reader may do. */
export function PaletteCommands({ open, text, onChoose, onClose }: PaletteCommandsProps) {
  const { features } = shellRoute.useRouteContext()
  const current = useCurrentGroup()
  const navigate = useNavigate()
  const router = useRouter()
  const attention = useQuery({ ...attentionQuery(current?.id ?? ''), enabled: open && current !== null })
  const found = useFound(features, open ? text : '', current)
  const finish = (act: () => unknown) => () => {
    onClose()
    void act()
  }
  return (
    <>
      {attention.data && attention.data.data.length > 0 && (
        <PaletteGroup heading="Needs attention">
          {attention.data.data
            .slice(0, text === '' ? maxAttention : undefined)
            .map(({ kind, title, url }) => (
              <Entry
                key={kind}
                icon={TriangleAlert}
                label={title}
                value={`attention ${title}`}
                onSelect={finish(() => router.history.push(url))}
              />
            ))}
        </PaletteGroup>
      )}
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
      <PaletteGroup heading="Pages">
        {navigationOf(features, current?.role).flatMap((section) =>
          section.entries.map(({ label, icon, page, keywords }) => (
            <Entry
              key={label}
              icon={icon}
              label={label}
              keywords={keywords}
              onSelect={finish(() => navigate({ to: page.to as string }))}
            />
          )),
        )}
      </PaletteGroup>
      <PaletteGroup heading="Commands">
        {features
          .flatMap((feature) => feature.commands ?? [])
          .filter(({ may }) => mayUse(may, current?.role))
          .map((command) => (
            <Entry
              key={command.label}
              icon={command.icon}
              label={command.label}
              keywords={command.keywords}
              onSelect={'go' in command ? finish(() => navigate(command.go)) : () => onChoose(command)}
            />
          ))}
        <OwnCommands finish={finish} />
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
    </>
  )
}

/** What belongs to no feature: notifications, the base URL, groups and the theme. */
function OwnCommands({ finish }: { finish: (act: () => unknown) => () => void }) {
  const me = useMe()
  const current = useCurrentGroup()
  const selectGroup = useSelectGroup()
  const theme = useTheme()
  const queryClient = useQueryClient()
  const welcome = useQuery(welcomeQuery(current?.id))
  const copyAddress = async (address: string) => {
    if (await copyText(address)) toast.success('Base URL copied', { description: address })
  }
  const readAll = async (groupId: string) => {
    await call('POST', '/api/v1/notifications/read', { body: { group_id: groupId } })
    await Promise.all(
      [bellKey(groupId), attentionQuery(groupId).queryKey].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
    toast.success('Notifications marked as read')
  }
  return (
    <>
      {current && (
        <Entry
          icon={CheckCheck}
          label="Mark all notifications as read"
          keywords={['bell', 'acknowledge', 'clear']}
          onSelect={finish(() => readAll(current.id))}
        />
      )}
      {welcome.data && (
        <Entry
          icon={Copy}
          label="Copy base URL"
          keywords={['address', 'endpoint']}
          onSelect={finish(() => copyAddress(clientAddress(welcome.data.base_url)))}
        />
      )}
      {me.groups
        .filter((group) => group.id !== current?.id)
        .map((group) => (
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
    </>
  )
}
