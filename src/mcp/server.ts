import { McpServer } from '@modelcontextprotocol/server'
import type { Offer, OfferWays } from './offer.ts'
import type { Platform } from '#tools'

/** A server with what the key may use of the offer; both eras of the protocol get the same. */
export function createServer(
  offer: Offer,
  platform: Platform,
  version: string,
  ways: OfferWays = { reports: true },
): McpServer {
  const server = new McpServer({ name: 'signalbox', title: 'Signalbox', version }, offer.options)
  offer.register(server, platform, ways)
  return server
}
