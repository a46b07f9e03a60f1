import { useSyncExternalStore } from 'react'
import { createConversation, type Conversation } from './conversation.ts'
import { send } from './send.ts'
import type { Turn } from './types.ts'

/** One per group, while the dashboard is open. */
const conversations = new Map<string, Conversation>()

export function useConversation(groupId: string): { turns: readonly Turn[]; conversation: Conversation } {
  const conversation = conversations.get(groupId) ?? begin(groupId)
  return { turns: useSyncExternalStore(conversation.subscribe, conversation.get), conversation }
}

function begin(groupId: string): Conversation {
  const conversation = createConversation({
    send: (call) => send({ ...call, groupId }),
    onFrame: (work) => requestAnimationFrame(work),
    now: () => performance.now(),
  })
  conversations.set(groupId, conversation)
  return conversation
}
