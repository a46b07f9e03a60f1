import { createRoute } from '@tanstack/react-router'
import { Megaphone, Plus } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readNotificationsAddress } from './notifications-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  validateSearch: readNotificationsAddress,
  component: lazyPage(() => import('./notifications-page.tsx'), 'NotificationsPage'),
})

export const notifications = {
  pages: [page],
  navigation: [
    {
      section: 'Settings',
      label: 'Notifications',
      icon: Megaphone,
      page,
      may: 'manage',
      text: 'Channels: Slack, Teams, email, PagerDuty and signed webhooks.',
      counts: { kinds: ['channel_failing'], word: 'failing' },
    },
  ],
  commands: [
    {
      label: 'Add channel',
      may: 'manage',
      keywords: ['notifications', 'slack', 'teams', 'email', 'pagerduty', 'alerts'],
      icon: Plus,
      go: { to: '/notifications', search: { new: true } },
    },
  ],
} satisfies Feature
