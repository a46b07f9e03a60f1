import { getRouteApi } from '@tanstack/react-router'

/** The shell's route for components inside it: importing the route itself would be a circular import. */
export const shellRoute = getRouteApi('/shell')
