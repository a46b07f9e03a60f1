import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { rootRoute } from '../../shell/routes.ts'
import { addressReader, text } from '../../ui/address.ts'

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: addressReader({ next: text }),
  component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
})
