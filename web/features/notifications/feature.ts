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
  navigation: [{ section: 'Settings', label: 'Notifications', icon: Megaphone, page }],
  commands: [
    {
      label: 'Add channel',
      keywords: ['notifications', 'slack', 'teams', 'email', 'pagerduty', 'alerts'],
      icon: Plus,
      go: { to: '/notifications', search: { new: true } },
    },
  ],
} satisfies Feature
