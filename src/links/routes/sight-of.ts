import type { FastifyRequest } from 'fastify'
import { scopesIn } from '#kernel/auth'
import { groupOf, principalOf } from '#kernel/http'
import type { Sight } from '../things/things.ts'

/** As on their own pages: all changes by SQL are for admins, and runs are for people and for keys of agents. */
export function sightOf(request: FastifyRequest): Sight {
  const principal = principalOf(request)
  const scopes = scopesIn(principal, groupOf(request))
  return { sqlChanges: scopes.has('admin'), runs: !principal.key || scopes.has('agents') }
}
