interface KindWords {
  what: string
  /** How it gets into the index. */
  when: string
  examples: readonly string[]
}

const soon = 'Added automatically within a minute.'

/** What can be searched, in the words of this page; a kind that it does not know has only its title. */
export const kindWords: Record<string, KindWords> = {
  model: {
    what: 'Every model in the catalog, by capabilities, context length and price.',
    when: 'Added by a model sync on the Providers page.',
    examples: ['free model', 'reasoning with tools', 'vision and long context'],
  },
  request: {
    what: 'User labels, metadata and errors of your requests. Repeated text is listed once.',
    when: 'Added automatically within two minutes of a request.',
    examples: ['no such model', 'rate limit'],
  },
  event: {
    what: 'Errors in the console. The same error is listed once. The console itself searches all events.',
    when: 'Added automatically within two minutes of an error.',
    examples: [],
  },
  ticket: { what: 'Titles and descriptions of tickets.', when: soon, examples: [] },
  devlog: { what: 'What people and agents did and why.', when: soon, examples: [] },
  learning: { what: 'What the team found out.', when: soon, examples: [] },
  initiative: { what: 'Titles and descriptions of initiatives.', when: soon, examples: [] },
  decision: { what: 'What was decided in initiatives, and why.', when: soon, examples: [] },
  standup: {
    what: 'What was said in stand-ups.',
    when: 'Added automatically when a stand-up has ended.',
    examples: [],
  },
  transcript: {
    what: 'Sessions of coding assistants, by what was asked and what came of it.',
    when: 'Added automatically when a session has been quiet for a minute.',
    examples: [],
  },
}
