import { refusedValues } from './refused-values.ts'

/** What schemathesis may report, and why that is no fault. Everything else fails the audit. */
export interface Accepted {
  type: string
  operation: RegExp
  /** The status and the message of our response, where not every response of the operation is meant. */
  response?: RegExp
  reason: string
}

export const accepted: readonly Accepted[] = [
  ...refusedValues.map(({ operation, message, reason }) => ({
    type: 'RejectedPositiveData',
    operation,
    response: new RegExp(`^400 .*(${message.source})`, 's'),
    reason,
  })),
  {
    type: 'RejectedPositiveData',
    operation: /^(GET|PUT|POST|PATCH|DELETE) \//,
    response:
      /^400 .*(must not contain (NUL characters|control characters|characters that change the direction)|a member with a name that is not allowed|cannot hold control characters|is out of range or cannot be stored|must be at most 9007199254740991)/s,
    reason:
      'No value may have U+0000, no name control characters or those that turn text around, no member may be called like one of the prototype, and no number exceed its column; schemas of free values do not say so.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^GET \//,
    response:
      /^400 .*(whole number|"?cursor"? (must be|cannot)|next_cursor|words to search for|from 1 to 50 values|characters)/s,
    reason: 'Numbers of a query are strings with limits, and a cursor comes from the page before.',
  },
  {
    type: 'RejectedPositiveData',
    operation:
      /^(GET|POST|PATCH) \/api\/(analytics|console|deployments|devlogs|incidents|initiatives|learnings|services|skills|tickets|transcripts|v1\/(analytics|costs|keys|logs|sql\/logs|statement|usage)|webhooks)/,
    response:
      /^400 .*(Ask for days from|must be a time from 1970|between 197\d and 2100|must be a (date|time) such as|must be later than|lies before|in the future|hundred years|need both dates|cannot be combined with|is required with|must be before|must be after|must not be before|is not valid: give a time as|Give "since" or "start_date", not both|needs a final status|needs the status|at most 366 days|days of hours at most|IANA time zone)/s,
    reason: 'Times have limits, and two of them go together, which a schema cannot say.',
  },
  {
    type: 'RejectedPositiveData',
    operation:
      /^(POST|PATCH) \/(providers$|api\/(deployments|incidents|tickets|devlogs|learnings|initiatives|services|v1\/keys))/,
    response: /^400 .*(of this group|of this initiative|must be an ID, or for a url|allow_private)/s,
    reason:
      'What a record names must exist in the group, and private networks are the choice of the operator.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^(POST|PATCH) \/api\/agents/,
    response:
      /^400 .*(must have text that can be seen|must not be bypassPermissions where the policy is for prod)/s,
    reason: 'A request is read by a model, so blanks are none; what asks nobody is not for production.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^(POST|PATCH) \/api\/services/,
    response: /^400 timeout_ms must not be longer than interval_s/,
    reason: 'A check ends before the next one begins; two numbers go together, which a schema cannot say.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^GET \/api\/(console\/(events|search|stats)|transcripts(\/search)?)$/,
    response: /^400 (type|severity|levels|assistant|metadata) must be/,
    reason: 'Several words in one value are separated by commas, and those of metadata are pairs.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^POST \/api\/console\/events$/,
    response: /^400 .*(specversion|\.source must|created_at must|must not be empty)/s,
    reason: 'A body with the members of a CloudEvent is read as one; blanks are no title.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^PUT \/api\/console\/reporter$/,
    response: /must be an origin/,
    reason: 'An origin is more than a string of a format.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^(POST|PUT) \/api\/transcripts\/(ingest|watchers)/,
    reason: 'Data must have the hash they are sent with, and a path must be one of the assistant.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^POST \/api\/v1\/(search|rank|context|embed|embed\/batch)$/,
    response: /^400 (Unknown kind|The text is empty)/,
    reason: 'The kinds are those of the parts that run; blanks are no text.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^POST \/api\/v1\/sql\/(execute|migrate|explain-policy)$/,
    reason: 'The schema of a statement is the grammar of PostgreSQL.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^(POST|PATCH) \/api\/v1\/sql\/databases(\/\{name\})?$/,
    response: /^400 .*("schemas" is not valid: must not repeat a schema|url must look like postgresql:)/s,
    reason: 'An address of a database is more than a string, and a schema is named once.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^PUT \/api\/v1\/pricing(\/\{model_id\})?$/,
    reason: 'Tiers, units and IDs must fit together, and the group is named once.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^POST \/(v1\/|api\/v1\/gateway\/playground$|mcp$)/,
    reason:
      'The APIs of providers have rules of their own, which they and not the schema check, and need the key of a provider. `/mcp` takes messages of JSON-RPC.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^POST \/providers\//,
    response: /^400 .*(No provider key found|has no list of models|Invalid email|is not valid)/s,
    reason: 'Synchronising needs a key of the provider; forms of the page check more than their schema.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^POST \/api\/initiatives\/\{id\}\/standup$/,
    response: /^400 No provider key found/,
    reason: 'A stand-up needs the key of a provider.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^PATCH \/providers\/\{provider_id\}$/,
    response: /^400 \w+ cannot be changed: the provider is built in/,
    reason: 'Of a built-in provider only `is_active` can be changed.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^POST \/api\/auth\//,
    response: /^400 Invalid/,
    reason: 'A wrong password is a valid one of somebody else.',
  },
  {
    type: 'AcceptedNegativeData',
    operation: /^GET \//,
    response: /^431 /,
    reason: 'An address that is too long is refused with 431, which the check does not count as a refusal.',
  },
  {
    type: 'AcceptedNegativeData',
    operation: /^POST \/api\/auth\/sign-out$/,
    reason: 'Signing out needs no body.',
  },
  {
    type: 'AcceptedNegativeData',
    operation:
      /^POST (\/api\/v1\/groups\/\{id\}\/invitations|\/providers\/accounts\/\{account_id\}\/update)$/,
    reason: 'Ours accepts more addresses than the check knows, such as those with an apostrophe.',
  },
  {
    type: 'AcceptedNegativeData',
    operation: /^POST \/providers\/(\{provider_id\}(\/accounts)?|accounts\/\{account_id\}\/keys)$/,
    reason: 'A field of the form that is empty counts as not filled in.',
  },
  {
    type: 'AcceptedNegativeData',
    operation: /^POST \/v1\/(responses|responses\/(compact|input_tokens)|messages\/count_tokens)$/,
    response: /^200 /,
    reason:
      'Where the provider has the API itself, the body is passed on unchanged, and the fake one does not check it.',
  },
  {
    type: 'AcceptedNegativeData',
    operation: /^POST \/v1\/logs$/,
    reason: 'A message of OTLP may leave out every field, as protobuf does.',
  },
  {
    type: 'JsonSchemaError',
    operation: /^POST \/(v1\/|api\/v1\/gateway\/playground)/,
    reason: 'A stream that fails after it began ends with an error event, which is no chunk.',
  },
  {
    type: 'JsonSchemaError',
    operation: /^(GET|POST) \/api\/(agent-runs|agents|initiatives)\/.*\/(events|ask|standup)$/,
    response: /^200 retry: /,
    reason: 'The schema is that of the data of an event; the check holds the whole frame against it.',
  },
  {
    type: 'ServerError',
    operation: /^POST \/providers\/\{provider_id\}\/models\/sync$/,
    reason:
      'A custom provider that the run adds has an address where nobody answers, which returns 502, as documented. test/security/fuzz checks that nothing causes a 500.',
  },
  {
    type: 'UnsupportedMethodResponse',
    operation: /^\w+ \/api\/webhooks\/\w+$/,
    reason: 'The path is also that of a webhook by its ID, which takes the method and refuses the ID.',
  },
  {
    type: 'UnsupportedMethodResponse',
    operation: /^\w+ \/api\/transcripts\/(watchers|projects|search)$/,
    reason: 'The path is also that of a transcript by its ID, which takes the method and refuses the ID.',
  },
  {
    type: 'AllowHeaderMismatch',
    operation: /^\w+ \/api\/transcripts\/(watchers|projects|search)$/,
    reason: 'The path is also that of a transcript by its ID, whose methods are allowed there too.',
  },
  {
    type: 'AllowHeaderMismatch',
    operation: /^\w+ \/api\/webhooks\/\w+$/,
    reason: 'The path is also that of a webhook by its ID, whose methods are allowed there too.',
  },
  {
    type: 'AllowHeaderMismatch',
    operation: /^\w+ \/v1\/responses\/(compact|input_tokens)$/,
    reason: 'The path is also that of a stored response by its ID, whose methods are allowed there too.',
  },
  {
    type: 'RejectedPositiveData',
    operation: /^(POST|PATCH) \/api\/v1\/groups(\/\{id\})?$/,
    response: /^400 .*(Give "name" or "time_zone"|must be an IANA time zone)/s,
    reason: 'Each field can be left out, but not both, and a time zone is more than a string.',
  },
  {
    type: 'UnsupportedMethodResponse',
    operation: /^\w+ \/api\/v1\/(alerts\/recommended|limits\/try)$/,
    reason:
      'The path is also that of an alert or a limit by its ID, which takes the method and refuses the ID.',
  },
  {
    type: 'AllowHeaderMismatch',
    operation: /^\w+ \/api\/v1\/(alerts\/recommended|limits\/try)$/,
    reason: 'The path is also that of an alert or a limit by its ID, whose methods are allowed there too.',
  },
  {
    type: 'EnsureResourceAvailability',
    operation: /^POST \/api\/tickets$/,
    response: /^404 The agent was not found/,
    reason: 'A new ticket is assigned to an agent that the check made up.',
  },
  {
    type: 'UnsupportedMethodResponse',
    operation: /^POST \/v1\/responses$/,
    response: /^426 /,
    reason: 'With GET the path opens a WebSocket, which a document of HTTP has no place for.',
  },
  {
    type: 'AllowHeaderMismatch',
    operation: /^POST \/v1\/responses$/,
    response: /^405 .*Use GET or POST/,
    reason: 'GET opens a WebSocket, so it is allowed, and the document has no place for it.',
  },
]
