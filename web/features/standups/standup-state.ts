import type { Brief, Draft, Proposal, Standup, StandupEvent } from '#standups/contract'

type EventOf<Type extends StandupEvent['type']> = Extract<StandupEvent, { type: Type }>

/** One thing in the conversation, in the order in which it began. */
export type Item =
  | {
      kind: 'message'
      key: string
      role: 'assistant' | 'user'
      author: string | null
      content: string
      state: 'streaming' | 'whole' | 'interrupted'
    }
  | { kind: 'tools'; key: string; tools: EventOf<'tool'>[] }
  | { kind: 'question'; key: string; event: EventOf<'question'> }
  | { kind: 'research'; key: string; event: EventOf<'research'> }
  | { kind: 'proposal'; key: string; id: string }
  | { kind: 'error'; key: string; event: EventOf<'error'> }

export interface StandupState {
  /** Later events follow this one. */
  lastId: number
  items: readonly Item[]
  brief: Brief | null
  /** By ID, in their present state. */
  proposals: ReadonlyMap<string, Proposal>
  drafts: ReadonlyMap<string, Draft>
  isBusy: boolean
  /** Who may speak besides the person who started it. */
  invited: Standup['invited']
  ended: EventOf<'ended'> | undefined
}

export const emptyState: StandupState = {
  lastId: 0,
  items: [],
  brief: null,
  proposals: new Map(),
  drafts: new Map(),
  isBusy: false,
  invited: [],
  ended: undefined,
}

/** Adds events in their order. One that was there before, as after a resumed stream, changes nothing. */
export function addEvents(state: StandupState, events: readonly StandupEvent[]): StandupState {
  return events.reduce(
    (current, event) => (event.id <= current.lastId ? current : addEvent(current, event)),
    state,
  )
}

function addEvent(state: StandupState, event: StandupEvent): StandupState {
  const next = { ...state, lastId: event.id }
  const key = String(event.id)
  switch (event.type) {
    case 'brief':
      return { ...next, brief: event.brief }
    case 'message':
      return { ...next, items: withMessage(state.items, event) }
    case 'delta':
      return { ...next, isBusy: true, items: withPiece(state.items, event) }
    case 'tool':
      return { ...next, items: withTool(state.items, event) }
    case 'question':
    case 'research':
    case 'error': {
      const item = { kind: event.type, key, event } as Item
      return { ...next, items: [...state.items, item] }
    }
    case 'proposal': {
      const { proposal } = event
      const proposals = new Map(state.proposals).set(proposal.id, proposal)
      const isNew = !state.proposals.has(proposal.id)
      const items: readonly Item[] = isNew
        ? [...state.items, { kind: 'proposal', key, id: proposal.id }]
        : state.items
      return { ...next, proposals, items }
    }
    case 'artifact':
      return { ...next, drafts: new Map(state.drafts).set(event.artifact.id, event.artifact) }
    case 'invited':
      return { ...next, invited: event.invited }
    case 'turn':
      return { ...next, isBusy: event.state === 'started' }
    case 'ended':
      return { ...next, isBusy: false, ended: event }
    default:
      // Of a newer server.
      return next
  }
}

const keyOf = (messageId: string): string => `message ${messageId}`

function withPiece(items: readonly Item[], { message_id, content }: EventOf<'delta'>): readonly Item[] {
  const key = keyOf(message_id)
  const place = items.findLastIndex((item) => item.key === key)
  const before = items[place]
  if (before?.kind !== 'message')
    return [...items, { kind: 'message', key, role: 'assistant', author: null, content, state: 'streaming' }]
  // A piece of a message that has come whole.
  if (before.state !== 'streaming') return items
  return items.with(place, { ...before, content: before.content + content })
}

function withMessage(items: readonly Item[], event: EventOf<'message'>): readonly Item[] {
  const { role, author, content, interrupted } = event
  const key = keyOf(event.message_id)
  const item: Item = {
    kind: 'message',
    key,
    role,
    author,
    content,
    state: interrupted ? 'interrupted' : 'whole',
  }
  const place = items.findLastIndex((each) => each.key === key)
  return place < 0 ? [...items, item] : items.with(place, item)
}

/** Lookups in a row are one line. */
function withTool(items: readonly Item[], event: EventOf<'tool'>): readonly Item[] {
  const last = items.at(-1)
  return last?.kind === 'tools'
    ? items.with(items.length - 1, { ...last, tools: [...last.tools, event] })
    : [...items, { kind: 'tools', key: String(event.id), tools: [event] }]
}
