import { useMe } from '../../api/session.ts'
import { setTheme, themes, useTheme } from '../../shell/theme.ts'
import { themeNames } from '../../shell/theme-look.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useSignOut } from '../../shell/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { ChangePassword } from './change-password.tsx'
import { OwnLimits } from './own-limits.tsx'

const ways = {
  local: 'Local owner. This browser opened the link that Signalbox printed in the terminal.',
  session: 'Signed in. The session is stored in a cookie of this browser.',
  api_key: 'API key.',
}

export function AccountPage() {
  const me = useMe()
  const theme = useTheme()
  return (
    <Page title="Account" description="Your profile, groups, theme and sessions.">
      <div className="space-y-5">
        <Card title="Profile">
          <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[8rem_1fr]">
            <Entry name="Name">{me.user?.name ?? 'API key'}</Entry>
            {me.user && <Entry name="Email">{me.user.email}</Entry>}
            <Entry name="Access">{ways[me.via]}</Entry>
            <Entry name="Groups">
              <span className="flex flex-wrap gap-x-4 gap-y-1.5">
                {me.groups.length === 0 && 'None yet'}
                {me.groups.map((group) => (
                  <span key={group.id} className="inline-flex items-center gap-1.5">
                    {group.name} <Badge>{group.role}</Badge>
                  </span>
                ))}
              </span>
            </Entry>
            <Entry name="Version">
              <span className="font-mono text-xs">{me.version}</span>
            </Entry>
          </dl>
        </Card>
        <OwnLimits />
        <Card title="Theme" description="Stored in this browser.">
          <Segmented
            label="Theme"
            value={theme}
            onChange={setTheme}
            choices={themes.map((choice) => ({ id: choice, label: themeNames[choice] }))}
          />
        </Card>
        {me.via === 'session' && <ChangePassword />}
        {me.via === 'session' && <Sessions />}
      </div>
    </Page>
  )
}

function Entry({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-faint max-sm:-mb-2.5">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

function Sessions() {
  const signOut = useSignOut('everywhere')
  return (
    <Card
      title="Sessions"
      description="Ends every session of your account, in this and in all other browsers."
    >
      <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out everywhere
      </Button>
    </Card>
  )
}
