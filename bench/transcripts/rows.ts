export interface Archive {
  url: string
  key: string
}

type Row = Record<string, unknown>

/** Everything the archive shows of all sessions, with the assistants' own ids in the place of ours. */
export async function rowsOf(archive: Archive): Promise<Row[]> {
  const sessions = await allSessions(archive)
  const names = new Map(sessions.map(({ id, external_id }) => [id, external_id]))
  const rows = await Promise.all(
    sessions.map(async (session) => ({
      ...named(session, names),
      messages: await allMessages(archive, String(session['id'])),
    })),
  )
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const keyOf = (row: Row): string => `${String(row['assistant'])} ${String(row['external_id'])}`

function named({ id: _id, ...session }: Row, names: ReadonlyMap<unknown, unknown>): Row {
  const { parent_id: parent, forked_from: original, ...rest } = session
  return { ...rest, parent_id: names.get(parent) ?? null, forked_from: names.get(original) ?? null }
}

async function allSessions(archive: Archive): Promise<Row[]> {
  return allPages(archive, '/api/transcripts?include=subagents&limit=500', 'data')
}

async function allMessages(archive: Archive, session: string): Promise<Row[]> {
  const messages = await allPages(archive, `/api/transcripts/${session}?limit=1000`, 'messages')
  const places = new Map(messages.map(({ id }, index) => [id, index]))
  return messages.map(({ id: _id, parent_id: parent, subagent_id: subagent, image, ...message }) => ({
    ...message,
    parent: places.get(parent) ?? null,
    hasSubagent: subagent !== null,
    hasImage: image !== null,
  }))
}

async function allPages({ url, key }: Archive, path: string, field: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: unknown = ''; typeof cursor === 'string';) {
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const response = await fetch(`${url}${path}${next}`, { headers: { authorization: `Bearer ${key}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    const page = (await response.json()) as Row
    rows.push(...(page[field] as Row[]))
    cursor = page['next_cursor']
  }
  return rows
}
