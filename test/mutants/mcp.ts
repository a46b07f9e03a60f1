import type { Mutant } from './mutant.ts'

const routes = { file: 'src/mcp/routes.ts', tests: ['test/mcp/hostile.test.ts'] }

export const mcpMutants: readonly Mutant[] = [
  {
    guard: 'mcp: only an API key opens it',
    ...routes,
    text: "needs: 'someone', keyOnly: true,",
    replacement: "needs: 'someone', inGroup: true,",
    name: 'only an API key opens it',
  },
  {
    guard: 'mcp: a host that is no name is not repeated',
    file: 'src/mcp/metadata-routes.ts',
    text: "plainHost.test(host) ? host : 'localhost'",
    replacement: 'host',
    tests: ['test/mcp/hostile.test.ts'],
    name: 'a host that is no name',
  },
  {
    guard: 'mcp: a batch is refused',
    ...routes,
    text: ' || Array.isArray(request.body)',
    replacement: '',
    name: 'a batch is refused',
  },
  {
    guard: 'mcp: a page of another site is refused',
    ...routes,
    text: 'checkOrigin(request, publicUrl)\n',
    replacement: '\n',
    name: 'a page of another site',
  },
  {
    guard: 'mcp: no stream stays open',
    ...routes,
    file: 'src/mcp/http-handler.ts',
    text: ', maxSubscriptions: 0',
    replacement: '',
    name: 'no stream stays open',
  },
  {
    guard: 'mcp: a tool exists only for keys with its scope',
    file: 'src/mcp/server.ts',
    tests: ['test/mcp/tools.test.ts'],
    text: 'if (platform.scopes.has(tool.scope)) register',
    replacement: 'register',
    name: 'a tool whose scope the key lacks',
  },
  {
    guard: 'mcp: results say that their text is not trusted',
    file: 'src/mcp/result.ts',
    tests: ['test/mcp/tools.test.ts'],
    text: "    { type: 'text', text: untrusted },\n",
    replacement: '',
    name: 'results say that their text is not trusted',
  },
  {
    guard: 'mcp: the key is not sent unencrypted to another machine',
    ...routes,
    file: 'src/mcp/commands/mcp.ts',
    text: "url.protocol === 'http:' && !isLoopback(url.hostname)",
    replacement: 'false',
    name: 'signalbox mcp says what is wrong',
  },
]
