import { openConnection, type ConnectionOptions } from './connection.ts'
import type { LiveListener, LiveMessage } from './messages.ts'

interface Channel {
  listeners: Set<LiveListener>
  state: LiveMessage
  close: () => void
  closing: ReturnType<typeof setTimeout> | undefined
}

interface HubOptions extends ConnectionOptions {
  /** How long a stream without listeners stays open: a new filter leaves and joins at once. */
  linger?: number
}

/** One stream per group, however many tabs listen: browsers allow six connections to a server. */
export class LiveHub {
  readonly #channels = new Map<string, Channel>()
  readonly #options: HubOptions

  constructor(options: HubOptions = {}) {
    this.#options = options
  }

  /** Reports the current state at once; the stream is closed soon after the last listener leaves. */
  join(groupId: string, listener: LiveListener): () => void {
    const channel = this.#channels.get(groupId) ?? this.#open(groupId)
    clearTimeout(channel.closing)
    channel.listeners.add(listener)
    listener(channel.state)
    return () => {
      if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return
      channel.closing = setTimeout(() => this.#close(groupId, channel), this.#options.linger ?? 2000)
    }
  }

  #close(groupId: string, channel: Channel): void {
    channel.close()
    if (this.#channels.get(groupId) === channel) this.#channels.delete(groupId)
  }

  #open(groupId: string): Channel {
    const channel: Channel = {
      listeners: new Set(),
      state: { kind: 'state', state: 'connecting' },
      close: () => undefined,
      closing: undefined,
    }
    this.#channels.set(groupId, channel)
    channel.close = openConnection(
      groupId,
      (message) => {
        if (message.kind === 'state') channel.state = message
        // The next tab that joins tries again: the user may have signed in meanwhile.
        if (message.kind === 'state' && message.state === 'refused') this.#channels.delete(groupId)
        for (const listener of channel.listeners) listener(message)
      },
      this.#options,
    )
    return channel
  }
}
