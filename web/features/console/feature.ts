import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { CircleAlert, SquareTerminal } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readConsoleAddress } from './console-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/console',
  validateSearch: readConsoleAddress,
  component: lazyPage(() => import('./console-page.tsx'), 'ConsolePage'),
})

/** The events of one source. */
const sourcePage = createRoute({
  getParentRoute: () => shellRoute,
  path: '/console/$source',
  validateSearch: readConsoleAddress,
  component: lazyPage(() => import('./console-page.tsx'), 'SourcePage'),
})

export const eventConsole = {
  pages: [page, sourcePage],
  navigation: [{ section: 'Observe', label: 'Console', icon: SquareTerminal, page }],
  commands: [
    {
      label: 'Show errors in the console',
      keywords: ['events', 'failures', 'critical', 'severity'],
      icon: CircleAlert,
      go: { to: '/console', search: { severity: 'error' } },
    },
  ],
} satisfies Feature
