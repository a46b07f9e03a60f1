import type { FakeProvider } from './gateway.ts'

export const proposedDecision = {
  title: 'Keep guest checkout',
  context: 'A third buy as guests.',
  options: ['Keep it', 'Accounts only'],
  decision: 'Guests may buy without an account.',
  rationale: 'They asked for it.',
  consequences: 'Receipts need an e-mail address.',
}

/** What the agent says next: one response with tools, then one that ends the turn. */
export function scriptProposals(
  fake: FakeProvider,
  wire: 'anthropic' | 'openai' | 'gemini',
  criterionId: string,
): void {
  fake.script(wire, {
    text: 'Let me look at **the records**.',
    toolCalls: [
      { name: 'list_devlogs', arguments: {} },
      { name: 'research', arguments: { query: 'load test', web: false } },
    ],
  })
  fake.script(wire, {
    text: '',
    toolCalls: [
      {
        name: 'ask_question',
        arguments: {
          category: 'direction',
          content: 'Keep guests?',
          options: ['Keep them', 'Accounts only'],
        },
      },
      {
        name: 'propose_confidence',
        arguments: { criterion_id: criterionId, confidence: 80, reason: 'The load test passed' },
      },
      { name: 'propose_decision', arguments: proposedDecision },
    ],
  })
  fake.script(wire, { text: 'Two proposals are at the side. <img src=x onerror="window.attacked=1">' })
}
