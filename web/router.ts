import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter } from '@tanstack/react-router'
import { isNotAuthenticated } from './api/advice.ts'
import { ApiError } from './api/client.ts'
import { features } from './features.ts'
import { joinRoute } from './features/join/route.ts'
import { statusRoute } from './features/records/status-page/route.ts'
import { signInRoute } from './features/sign-in/route.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { groupHistory, onGroupStep } from './shell/group-history.ts'
import { rootRoute, shellRoute } from './shell/routes.ts'
import { PageSkeleton } from './ui/skeleton.tsx'

/** When the session ends while the dashboard is open: sign in, then return to the same page. */
function onError(error: unknown): void {
  if (!isNotAuthenticated(error) || ['/sign-in', '/join'].includes(router.state.location.pathname)) return
  void router.navigate({ to: '/sign-in', search: { next: router.state.location.href } })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  // What somebody has just dealt with no longer needs attention.
  mutationCache: new MutationCache({
    onError,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['attention'] }),
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A retry helps after a lost connection or while the server starts, never after a 4xx response.
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
    },
  },
})

/** Any other address: the navigation stays. */
const unknownPage = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage })

const pages = features.flatMap<(typeof features)[number]['pages'][number]>((feature) => feature.pages)

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    shellRoute.addChildren([...pages, unknownPage]),
    signInRoute,
    joinRoute,
    statusRoute,
  ]),
  context: { queryClient, features },
  history: groupHistory,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
})

onGroupStep(() => void queryClient.invalidateQueries())

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
