type Listener = () => void

const listeners = new Set<Listener>()
let isReachable = true

/** Whether the last call reached the server, whatever it returned. */
export const reachable = {
  get: (): boolean => isReachable,
  set(next: boolean): void {
    if (next === isReachable) return
    isReachable = next
    for (const listener of listeners) listener()
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
