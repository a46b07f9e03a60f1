import type { Client, Endpoint } from './client.ts'
import type { Feature } from './feature.ts'

/** One of the gateway's APIs, with the clients that use it. */
export interface ClientApi {
  title: string
  path: string
  /** Packages by the name of the client. */
  packages: Readonly<Record<string, readonly string[]>>
  clients(endpoint: Endpoint): readonly Client[]
  features: readonly Feature[]
}
