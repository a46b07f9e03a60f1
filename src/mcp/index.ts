import type { Config } from '#kernel/config'
import type { Http } from '#kernel/http'
import { metadataRoutes } from './metadata-routes.ts'
import type { Offer } from './offer.ts'
import { mcpRoutes } from './routes.ts'

export type { Offer } from './offer.ts'

export interface McpDeps {
  config: Config
  version: string
  /** Loaded with the first message; the tools of the platform otherwise. */
  loadOffer?: () => Promise<Offer>
}

const loadPlatformOffer = async (): Promise<Offer> => (await import('./platform-offer.ts')).platformOffer

/** The tools of the platform for assistants that speak the Model Context Protocol. */
export function createMcp({ config, version, loadOffer = loadPlatformOffer }: McpDeps) {
  return {
    name: 'mcp',
    role: 'platform' as const,
    routes(app: Http): void {
      mcpRoutes(app, { publicUrl: config.PUBLIC_URL, version, loadOffer })
      metadataRoutes(app, { publicUrl: config.PUBLIC_URL, issuer: config.OIDC_ISSUER })
    },
  }
}
