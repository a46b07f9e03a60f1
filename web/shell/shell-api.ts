import { getRouteApi } from '@tanstack/react-router'

/** The shell's route for those inside it: importing the route itself would close a circle. */
export const shellRoute = getRouteApi('/shell')
