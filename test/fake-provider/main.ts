import { parseArgs } from 'node:util'

import { startFastProvider } from './fast.ts'
import { baseUrls, startFakeProvider } from './server.ts'

const usage = `node test/fake-provider/main.ts [options]
  --port N             port to listen on; 0 takes a free one (default 0)
  --fast               prepared replies, no checks: for benches
  --chunks N           with --fast: content chunks of a streamed reply (default 100)
  --text TEXT          with --fast: text of one chunk (default "token ")
  --chunk-every-ms N   with --fast: pause between chunks (default 0)`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    fast: { type: 'boolean', default: false },
    chunks: { type: 'string', default: '100' },
    text: { type: 'string', default: 'token ' },
    'chunk-every-ms': { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(usage)
} else {
  const server = values.fast
    ? await startFastProvider({
        port: Number(values.port),
        chunks: Number(values.chunks),
        text: values.text,
        chunkEveryMs: Number(values['chunk-every-ms']),
      })
    : await startFakeProvider({ port: Number(values.port) })
  console.log(JSON.stringify({ url: server.url, baseUrls: baseUrls(server.url) }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
}
