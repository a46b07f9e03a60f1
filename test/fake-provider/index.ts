/**
 * A server that speaks the APIs of the five providers, for tests and benches:
 *
 *   const fake = await startFakeProvider()
 *   fake.script('anthropic', { error: { status: 529 } })   // the next request to that provider
 *   fake.always('openai', { text: 'hello', chunkEveryMs: 5 })
 *   ... start the product with the environment fake.baseUrls ...
 *   fake.requests[0]?.json                                  // what it received
 *   await fake.close()
 *
 * Without a script it echoes the last user message; "call the tool" makes it call the tools it was offered.
 */
export { startFakeProvider } from './server.ts'
export type { FakeProvider } from './server.ts'
export type { RecordedRequest } from './record.ts'
export { providerNames, type ProviderName } from './names.ts'
export type { Match, Reply, ReplySource } from './reply.ts'
