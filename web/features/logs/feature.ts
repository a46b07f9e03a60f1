import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { CircleAlert, ScrollText } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readLogsAddress } from './logs-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/logs',
  validateSearch: readLogsAddress,
  component: lazyPage(() => import('./logs-page.tsx'), 'LogsPage'),
})

export const logs = {
  pages: [page],
  navigation: [{ section: 'Observe', label: 'Logs', icon: ScrollText, page }],
  find: async (text, place) => (await import('./find-requests.ts')).findRequests(text, place),
  commands: [
    {
      label: 'Show failed requests',
      keywords: ['errors', 'logs', 'status'],
      icon: CircleAlert,
      go: { to: '/logs', search: { status: 'error' } },
    },
  ],
} satisfies Feature
