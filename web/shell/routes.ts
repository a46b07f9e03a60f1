import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { isNotAuthenticated } from '../api/advice.ts'
import { meQuery } from '../api/session.ts'
import type { Feature } from './feature.ts'
import { Layout } from './layout.tsx'
import { NotFoundPage } from './not-found-page.tsx'

interface ShellContext {
  queryClient: QueryClient
  features: readonly Feature[]
}

export const rootRoute = createRootRouteWithContext<ShellContext>()({ notFoundComponent: NotFoundPage })

/** The parent of every page inside the shell. Without a session it redirects to the sign-in page. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Layout,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(meQuery)
    } catch (error) {
      if (isNotAuthenticated(error))
        redirect({ to: '/sign-in', search: { next: location.href }, throw: true })
      throw error
    }
  },
})
