import type { faults } from '#kernel/errors'

interface ErrorText {
  when: string
  next: string
}

/** What docs/errors.md says of each kind of fault. */
export const errorTexts: Record<keyof typeof faults, ErrorText> = {
  invalidRequest: {
    when: 'The request is not valid HTTP or JSON, or a field is not valid. JSON may be nested 128 levels deep; above 128 KiB it may have 100,000 object members and 500,000 values. No text may contain NUL or half of a surrogate pair, no name control characters or characters that change the direction of text. A query parameter that the route does not have is named; clients of the routes under `/v1` may add their own. With the status 431: the address and the headers together exceed 16 KiB. With 426: `GET /v1/responses` is for WebSockets.',
    next: 'Correct the field in `param`.',
  },
  noProviderKey: {
    when: 'The group has no usable key for the provider of the model.',
    next: 'Add or activate a key on the page Providers.',
  },
  previousResponseNotFound: {
    when: 'No stored response of this API key has the ID. Over a WebSocket: the response that a message continues is not the last one of the connection either, or a continuation of it failed.',
    next: 'Send the whole conversation as `input`, without `previous_response_id`.',
  },
  websocketLimit: {
    when: 'A WebSocket connection has been open for `WEBSOCKET_MAX_AGE_MS`.',
    next: 'Connect again.',
  },
  sqlError: {
    when: 'PostgreSQL refused the statement; `error.sqlstate` has its code and `error.position` the place in the text, from 0.',
    next: 'Correct the statement.',
  },
  invalidApiKey: {
    when: 'The API key is missing, unknown, expired or revoked.',
    next: 'Send `Authorization: Bearer sb-…` with a key from the page Keys.',
  },
  notAuthenticated: {
    when: 'There is neither a session nor an API key.',
    next: 'Sign in, or send an API key.',
  },
  forbidden: {
    when: 'The key lacks the scope or may not be used from this address, your role does not allow it, or the request comes from another site.',
    next: 'Use a key with the scope in the message, or ask an owner of the group.',
  },
  modelNotAllowed: {
    when: 'The list `allowed_models` of the API key, or of a key that it was made with, does not have the model.',
    next: 'Choose a model from `GET /v1/models`, or ask an admin of the group to extend the list.',
  },
  policyViolation: {
    when: 'A policy of the group does not allow the request.',
    next: 'Ask an owner of the group.',
  },
  modelNotFound: {
    when: 'No provider serves the model.',
    next: 'Choose a model from `GET /v1/models`.',
  },
  notFound: {
    when: 'The path does not exist, or the object does not exist in your groups.',
    next: 'Check the path, the ID and the group.',
  },
  methodNotAllowed: {
    when: 'The path does not take this method.',
    next: 'Use a method from the header `Allow`.',
  },
  requestTimeout: {
    when: 'The headers took longer than `RECEIVE_TIMEOUT_MS`, or the body arrived too slowly. On a WebSocket: nothing was asked for `WEBSOCKET_IDLE_MS`.',
    next: 'Send the request again.',
  },
  conflict: {
    when: 'It conflicts with something that exists, such as the same name.',
    next: 'Read the message, then change the request or what exists.',
  },
  requestTooLarge: {
    when: 'The body exceeds `MAX_BODY_BYTES`, 32 MiB by default. Without identity it may have 16 KiB, as a form 256 KiB.',
    next: 'Send less, or raise the limit.',
  },
  unsupportedMediaType: {
    when: 'The content type of the body is not supported.',
    next: 'Send `application/json`; audio as `multipart/form-data`.',
  },
  rateLimit: {
    when: 'One of the limits below is reached, or the provider limits its requests.',
    next: 'Wait for the time in `Retry-After`, then retry.',
  },
  limitExceeded: {
    when: 'A limit that the group has set on requests, tokens or requests at the same time is reached; `error.limit` says which, how much of it is used and when it resets. See [limits.md](limits.md).',
    next: 'Wait for the time in `Retry-After`. With `x-should-retry: false` that is more than a minute: ask an admin of the group to raise the limit.',
  },
  budgetExceeded: {
    when: 'A budget that the group has set is spent, or the model has no price under it; `error.limit` says which. Models that cost nothing stay usable.',
    next: 'Ask an admin of the group to raise the limit, to set a price of the model, or wait until it resets.',
  },
  internal: {
    when: 'An error in Signalbox.',
    next: 'Report it with the request ID.',
  },
  provider: {
    when: 'The provider failed, or returned something unusable.',
    next: 'Retry; if it persists, check the status of the provider.',
  },
  unavailable: {
    when: 'The database or another dependency is unavailable or busy, a queue is full, or the large bodies in progress exceed `BODY_BUDGET_BYTES`.',
    next: 'Retry after the time in `Retry-After`.',
  },
  providerTimeout: {
    when: 'The provider did not respond in time.',
    next: 'Retry, or choose a faster model.',
  },
}

/** Codes that a part gives to a fault of the table. */
export const ownCodes: Record<string, ErrorText & { of: keyof typeof faults }> = {
  runtime_unavailable: {
    of: 'unavailable',
    when: 'The embedding runtime at `RUNTIME_URL` is unavailable.',
    next: 'Start the runtime, or set `RUNTIME=builtin`.',
  },
}
