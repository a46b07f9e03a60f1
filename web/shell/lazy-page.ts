import { lazyRouteComponent } from '@tanstack/react-router'
import { loadWhenReachable } from '../api/load-when-reachable.ts'

/** The component of a page, loaded when the page is first opened. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadWhenReachable(load), name)
