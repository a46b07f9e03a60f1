/**
 * What must not grow back unseen: files that a request needs, and lines of each part without tests. Raising a limit is
 * a line in a diff; its reason belongs in the message of the commit. Lower one when a part has become smaller.
 */

export const maxFiles = {
  /** A warm chat completion that passes through, in all of `src`. */
  chat: 45,
  /** A message of a stand-up, until the turn of the agent is over. */
  standup: 150,
}

export const maxLines: Record<string, number> = {
  access: 3_500,
  agents: 4_900,
  analytics: 3_100,
  cli: 1_700,
  console: 4_200,
  embeddings: 3_000,
  gateway: 17_500,
  initiatives: 2_200,
  kernel: 10_100,
  mcp: 1_200,
  records: 4_700,
  search: 2_100,
  sql: 11_300,
  standups: 4_600,
  transcripts: 11_900,
  usage: 6_700,
  vault: 2_600,
  webhooks: 2_900,
}
