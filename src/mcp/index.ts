import type { Config } from '#kernel/config'
import type { Http } from '#kernel/http'
import { metadataRoutes } from './metadata-routes.ts'
import { mcpRoutes } from './routes.ts'

export interface McpDeps {
  config: Config
  version: string
}

/** The tools of the platform for assistants that speak the Model Context Protocol. */
export function createMcp({ config, version }: McpDeps) {
  return {
    name: 'mcp',
    role: 'platform' as const,
    routes(app: Http): void {
      mcpRoutes(app, { publicUrl: config.PUBLIC_URL, version })
      metadataRoutes(app, { publicUrl: config.PUBLIC_URL, issuer: config.OIDC_ISSUER })
    },
  }
}
