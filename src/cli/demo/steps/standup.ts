import type { Filling } from '../filling.ts'
import type { Initiative } from './initiatives.ts'

/** A stand-up that was held: its notes are approved, and its decision is a draft that waits for a person. */
export async function holdStandup({ call, stream }: Filling, [, second]: Initiative[]): Promise<void> {
  const path = `/api/initiatives/${second?.id}/standup`
  const said = ['Yes, decide for the queue.']
  let turns = 0
  for await (const event of stream(path)) {
    if (!event.includes('"state":"finished"')) continue
    const content = said[turns]
    turns += 1
    if (content === undefined) break
    await call(`${path}/message`, { json: { content } })
  }
  const { artifacts } = await call<{ artifacts: { id: string; type: string }[] }>(`${path}/end`, {
    json: { generate_artifacts: true },
  })
  const notes = artifacts.find(({ type }) => type === 'meeting_notes')
  if (notes) await call(`${path}/artifacts/${notes.id}/approve`, { json: {} })
}
