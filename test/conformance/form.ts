import type { Client, Endpoint } from './client.ts'
import type { Feature } from './feature.ts'

/** One of the forms in which clients ask, with the clients that speak it. */
export interface Form {
  title: string
  path: string
  /** Packages by the name of the client. */
  packages: Readonly<Record<string, readonly string[]>>
  clients(endpoint: Endpoint): readonly Client[]
  features: readonly Feature[]
}
