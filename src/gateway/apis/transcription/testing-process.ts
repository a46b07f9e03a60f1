import { startGateway } from './testing.ts'

/** The gateway in a process of its own, so that its memory is measured apart from the sender's and the provider's. */
const gateway = await startGateway(JSON.parse(process.argv[2] ?? '{}') as { [name: string]: string })
let start = 0
let most = 0
setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 1)

process.on('message', (question) => {
  if (question === 'begin') start = most = process.memoryUsage.rss()
  process.send?.({ grownBy: most - start, leftFiles: gateway.leftFiles() })
})
process.send?.({ url: gateway.url })
process.once('disconnect', () => void gateway.stop().then(() => process.exit()))
