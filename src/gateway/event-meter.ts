import type { Events } from '#kernel/events'
import type { Meter } from './meter.ts'

/** Tells each settled request as an event. It keeps nothing: a ledger that does is handed in instead of it. */
export function createEventMeter(events: Events): Meter {
  return {
    open: (entry) => ({
      settle(outcome) {
        events.emit('request.settled', {
          groupId: entry.groupId,
          by: null,
          requestId: entry.requestId,
          apiKeyId: entry.apiKeyId,
          providerKeyId: entry.providerKeyId,
          provider: entry.provider,
          model: entry.model,
          endpoint: entry.endpoint,
          isStream: entry.isStream,
          statusCode: outcome.statusCode,
          errorMessage: outcome.errorMessage,
          durationMs: outcome.endedAt.getTime() - entry.startedAt.getTime(),
          ttftMs: outcome.ttftMs,
          usage: outcome.usage,
        })
      },
    }),
  }
}
