import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../../shell/routes.ts'

/** Outside the shell: whoever opens it need not have an account. */
export const statusRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/status/$slug',
  component: lazyRouteComponent(() => import('./public-page.tsx'), 'PublicStatusPage'),
})
