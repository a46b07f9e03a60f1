import type { McpServer, ServerOptions } from '@modelcontextprotocol/server'
import type { Platform } from '#tools'

/** What a server offers to assistants, whichever way and in whichever era of the protocol they reach it. */
export interface Offer {
  options: Pick<ServerOptions, 'instructions' | 'capabilities' | 'requestState'>
  /** Registers what the key of the platform may use. */
  register(server: McpServer, platform: Platform, ways: OfferWays): void
}

export interface OfferWays {
  /** The client reads what a call reports before its result. */
  reports: boolean
}
