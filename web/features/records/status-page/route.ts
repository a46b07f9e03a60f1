import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../shell/lazy-page.ts'
import { rootRoute } from '../../../shell/routes.ts'

/** Outside the shell: a visitor need not have an account. */
export const statusRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/status/$slug',
  component: lazyPage(() => import('./public-page.tsx'), 'PublicStatusPage'),
})
