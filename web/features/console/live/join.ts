import { LiveHub } from './hub.ts'
import type { LiveListener, LiveMessage, LiveRequest } from './messages.ts'

/** Listens to the events of a group until it is ended, through the stream that all tabs share. */
export function joinLive(groupId: string, listener: LiveListener): () => void {
  return typeof SharedWorker === 'undefined'
    ? joinWhileVisible(groupId, listener)
    : joinShared(groupId, listener)
}

function joinShared(groupId: string, listener: LiveListener): () => void {
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: 'signalbox-events',
  })
  const { port } = worker
  const send = (request: LiveRequest) => port.postMessage(request)
  const join = () => send({ kind: 'join', groupId })
  const leave = () => send({ kind: 'leave' })
  let end = (): void => {
    leave()
    port.close()
    removeEventListener('pagehide', leave)
    removeEventListener('pageshow', rejoin)
  }
  /** A page that the browser kept and shows again. */
  const rejoin = ({ persisted }: PageTransitionEvent) => persisted && join()
  addEventListener('pagehide', leave)
  addEventListener('pageshow', rejoin)
  port.addEventListener('message', ({ data }: MessageEvent<LiveMessage>) => listener(data))
  // A worker that cannot start, such as after an upgrade, must not leave the page without events.
  worker.addEventListener('error', () => {
    end()
    end = joinWhileVisible(groupId, listener)
  })
  port.start()
  join()
  return () => end()
}

const ownHub = new LiveHub()

/** Without shared workers each tab has a stream, but only while it is visible. */
function joinWhileVisible(groupId: string, listener: LiveListener): () => void {
  let leave: (() => void) | undefined
  const update = () => {
    leave?.()
    leave = document.visibilityState === 'visible' ? ownHub.join(groupId, listener) : undefined
  }
  document.addEventListener('visibilitychange', update)
  update()
  return () => {
    document.removeEventListener('visibilitychange', update)
    leave?.()
  }
}
