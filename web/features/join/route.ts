import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { rootRoute } from '../../shell/routes.ts'
import { addressReader, text } from '../../ui/address.ts'

export const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  validateSearch: addressReader({ token: text }),
  component: lazyPage(() => import('./join-page.tsx'), 'JoinPage'),
})
