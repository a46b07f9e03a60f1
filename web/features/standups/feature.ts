import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { addressReader, text } from '../../ui/address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/initiatives/$id/standup',
  /** Without a session: the open one, or the start of a new one. */
  validateSearch: addressReader({ session: text }),
  component: lazyPage(() => import('./standup-page.tsx'), 'StandupPage'),
})

export const standups = { pages: [page] } satisfies Feature
