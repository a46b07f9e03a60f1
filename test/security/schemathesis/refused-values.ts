/** Values that a schema allows and the server refuses, with the reason why the schema cannot say it. */
export interface RefusedValue {
  operation: RegExp
  /** The message of our 400. */
  message: RegExp
  reason: string
}

export const refusedValues: readonly RefusedValue[] = [
  {
    operation: /^(GET|POST) \/api\/v1\/(links|why|costs)$/,
    message: /id must be the (address of the page|hash of a commit)|cannot be linked to itself/,
    reason: 'What an ID looks like depends on the type beside it.',
  },
  {
    operation: /^GET \/api\/v1\/usage\/(change|spend)$/,
    message: /may have several tags|cannot be filtered by/,
    reason: 'Which filters there are depends on what the spend is shown by.',
  },
  {
    operation: /^(POST|PATCH) \/api\/v1\/alerts(\/\{id\})?$/,
    message:
      /channels must be channels of this group|config\..+ is not known|config\.\w+ must be|concerns the whole installation/s,
    reason: 'A configuration has the members of its kind, and channels are those of the group.',
  },
  {
    operation: /^(POST|PATCH) \/api\/v1\/channels(\/\{id\})?$/,
    message:
      /config\.\w+ (does not belong to|is required for) a channel of type|"(config\.url|quiet_hours\.time_zone)" is not valid|type cannot be email/,
    reason: 'A configuration has the members of its type, and e-mail needs a server that the operator names.',
  },
  {
    operation: /^(POST|PATCH) \/api\/v1\/limits(\/\{id\}|\/try)?$/,
    message: /window is missing|amount must be (dollars|a whole number)|there is nothing to change/,
    reason: 'Amount and window depend on the metric, and a change names at least one field.',
  },
  {
    operation: /^(POST|PATCH) \/api\/v1\/routes(\/\{name\})?$/,
    message: /targets\.\d+\.(model is not a model of any provider|provider_key_id must be the ID of a key)/,
    reason: 'Targets are models and keys that exist.',
  },
  {
    operation: /^(POST|PATCH) \/api\/v1\/keys(\/\{id\})?$/,
    message: /"allowed_(addresses|models)\.\d+" is not valid/,
    reason: 'Networks and patterns of names are more than strings.',
  },
  {
    operation: /^(POST|PATCH) \/api\/agents(\/\{id\})?$/,
    message: /is no operation of PostgreSQL/,
    reason: 'The operations are those of the grammar of PostgreSQL.',
  },
  {
    operation: /^(POST|PATCH) \/api\/agents\/\{id\}\/schedules(\/\{schedule_id\})?$/,
    message: /must be a time zone such as|cron must/,
    reason: 'A time zone and a cron expression are more than strings.',
  },
  {
    operation: /^POST \/api\/tickets\/\{id\}\/assign$/,
    message: /must have text that can be seen/,
    reason: 'A request is read by a model, so blanks are none.',
  },
  {
    operation: /^POST \/api\/v1\/sql\/grants$/,
    message: /operations or tables or unmask must name something|is no operation of PostgreSQL/,
    reason:
      'Each of three fields can be left out, but not all, and the operations are those of the grammar of PostgreSQL.',
  },
  {
    operation: /^POST \/api\/v1\/search\/saved$/,
    message: /Unknown kind/,
    reason: 'Which kinds there are is said by the parts that hand texts to the search.',
  },
  {
    operation: /^POST \/providers\/(\{provider_id\}|accounts\/\{account_id\}\/keys|key\/\{key_id\}\/update)$/,
    message: /must have at least 8 characters/,
    reason: 'Keys of built-in providers have a least length, those of custom ones have not.',
  },
]
