/** What schemathesis may report, and why that is no fault. Everything else fails the audit. */
export interface Accepted {
  type: string
  /** Every operation, where none is named. */
  operation?: RegExp
  reason: string
}

export const accepted: readonly Accepted[] = [
  {
    type: 'IgnoredAuth',
    reason:
      'The check adds an invalid credential of one kind and leaves the valid one of another in place, which is enough. test/security/matrix sends each alone.',
  },
  {
    type: 'RejectedPositiveData',
    reason:
      'Some rules are beyond a schema: cursors come from the page before, two dates go together, models and providers must exist.',
  },
  {
    type: 'AcceptedNegativeData',
    reason: 'Parameters and headers that a route does not know are ignored, as HTTP intends.',
  },
  {
    type: 'JsonSchemaError',
    operation: /^POST \/(v1\/|api\/v1\/gateway\/playground)/,
    reason: 'A stream that fails after it began ends with an error event, which is no chunk.',
  },
  {
    type: 'ServerError',
    operation: /^POST \/providers\/\{provider_id\}\/models\/sync$/,
    reason:
      'A custom provider that the run adds has an address where nobody answers, which returns 502, as documented. test/security/fuzz checks that nothing causes a 500.',
  },
  {
    type: 'UnsupportedMethodResponse',
    operation: /^(PATCH|DELETE|GET) \/api\/webhooks\/\w+$/,
    reason: 'The path is also that of a webhook by its ID, which takes the method and refuses the ID.',
  },
  {
    type: 'UnsupportedMethodResponse',
    operation: /^DELETE \/api\/transcripts\/watchers$/,
    reason: 'The path is also that of a transcript by its ID, which takes the method and refuses the ID.',
  },
  {
    type: 'AllowHeaderMismatch',
    operation: /^OPTIONS \/api\/transcripts\/watchers$/,
    reason: 'The path is also that of a transcript by its ID, whose methods are allowed there too.',
  },
  {
    type: 'AllowHeaderMismatch',
    operation: /^OPTIONS \/api\/webhooks\/\w+$/,
    reason: 'The path is also that of a webhook by its ID, whose methods are allowed there too.',
  },
]
