import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Scope } from '#kernel/auth'
import type { Http } from '#kernel/http'

const wellKnown = '/.well-known/oauth-protected-resource'
const scopes: readonly Scope[] = ['read', 'sql', 'agents']

const metadata = z
  .object({
    resource: z.string().meta({ examples: ['https://signalbox.example.com/mcp'] }),
    resource_name: z.string().meta({ examples: ['Signalbox'] }),
    authorization_servers: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'The issuer of single sign-on. Left out where there is none: then only API keys open `/mcp`.',
        examples: [['https://id.example.com']],
      }),
    scopes_supported: z.array(z.string()).meta({ examples: [['read', 'sql', 'agents']] }),
    bearer_methods_supported: z.array(z.string()).meta({ examples: [['header']] }),
  })
  .meta({ id: 'ProtectedResourceMetadata' })

export interface MetadataDeps {
  publicUrl: string | undefined
  issuer: string | undefined
}

/** What a client of `/mcp` that was refused has to know, by RFC 9728: at the address of the resource, and at the root. */
export function metadataRoutes(app: Http, { publicUrl, issuer }: MetadataDeps): void {
  for (const [path, operationId, summary] of [
    [wellKnown, 'getServerResourceMetadata', 'Get the metadata of the protected resource'],
    [`${wellKnown}/mcp`, 'getMcpResourceMetadata', 'Get the metadata of /mcp as a protected resource'],
  ] as const)
    app.get(
      path,
      {
        config: { needs: 'anyone', open: 'A client reads it to learn how to sign in.' },
        schema: { tags: ['MCP'], operationId, summary, response: { 200: metadata } },
      },
      (request) => ({
        resource: `${addressOf(request, publicUrl)}/mcp`,
        resource_name: 'Signalbox',
        // Without a public address no token can be meant for this server.
        ...(issuer !== undefined && publicUrl !== undefined && { authorization_servers: [issuer] }),
        scopes_supported: [...scopes],
        bearer_methods_supported: ['header'],
      }),
    )
}

/** Where clients and people reach this server, without a slash at the end. */
export function addressOf({ headers: { host = '' } }: FastifyRequest, publicUrl: string | undefined): string {
  // What is no host name would end the quoted value of a header, or name another place.
  return (publicUrl ?? `http://${plainHost.test(host) ? host : 'localhost'}`).replace(/(?<!\/)\/+$/, '')
}

const plainHost = /^(?:[a-z\d._-]+|\[[a-f\d:.]+\])(?::\d{1,5})?$/i

/** Tells a client without a valid credential where to learn how to get one. */
export const challenge = (request: FastifyRequest, publicUrl: string | undefined): string =>
  `Bearer resource_metadata="${addressOf(request, publicUrl)}${wellKnown}/mcp"`
