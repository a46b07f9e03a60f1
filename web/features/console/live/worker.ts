import { LiveHub } from './hub.ts'
import type { LiveRequest } from './messages.ts'

/** A shared worker: all tabs of the browser use its one stream. */
const hub = new LiveHub()

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (!port) return
  let leave: (() => void) | undefined
  port.addEventListener('message', ({ data }: MessageEvent<LiveRequest>) => {
    leave?.()
    leave = data.kind === 'join' ? hub.join(data.groupId, (message) => port.postMessage(message)) : undefined
  })
  port.start()
})
