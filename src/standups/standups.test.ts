import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { clientConfig, type Target } from '#kernel/db'
import { exampleModels, startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'
import { listen, newInitiative, proposalsIn, turnOver } from './testing-standup.ts'

const wires = ['anthropic', 'openai', 'gemini'] as const

/** Every row of the initiative, as the database has it. */
async function rowsOf(target: Target, id: string): Promise<unknown> {
  const database = new pg.Client(clientConfig(target))
  await database.connect()
  const { rows } = await database.query(
    `select (select jsonb_agg(i) from initiatives.initiatives i where i.id = $1) as initiative,
      (select jsonb_agg(c order by c.id) from initiatives.criteria c where c.initiative_id = $1) as criteria,
      (select jsonb_agg(h order by h.id) from initiatives.confidence_changes h
        join initiatives.criteria c on c.id = h.criterion_id where c.initiative_id = $1) as history,
      (select jsonb_agg(q order by q.id) from initiatives.questions q where q.initiative_id = $1) as questions,
      (select jsonb_agg(f order by f.id) from initiatives.findings f where f.initiative_id = $1) as findings,
      (select jsonb_agg(d order by d.id) from initiatives.decisions d where d.initiative_id = $1) as decisions,
      (select jsonb_agg(a order by a.id) from initiatives.artifacts a where a.initiative_id = $1) as artifacts`,
    [id],
  )
  await database.end()
  return rows[0]
}

for (const wire of wires)
  test(`a whole stand-up (${wire}): brief, question, research of both sides, decision, confidence, drafts; rows change by approval alone`, async (context) => {
    const server = await startGateway({ STANDUP_MODEL: exampleModels[wire], RUNTIME: 'builtin' })
    const { fake, call } = server
    const initiative = await newInitiative(server)
    await call('/api/tickets', { json: { title: 'Cache', status: 'done', initiative_id: initiative.id } })
    await call('/api/tickets', { json: { title: 'Address form', initiative_id: initiative.id } })
    await call('/api/deployments', { json: { service: 'checkout', version: '1.4', status: 'succeeded' } })
    const { json: devlog } = await call('/api/devlogs', {
      json: { title: 'Load test', log_type: 'note', content: 'p95 was 210 ms' },
    })
    const before = await rowsOf(server.target, initiative.id)

    fake.script(wire, { text: 'One ticket was done. Confidence is 50.' })
    const listener = await listen(server, initiative.standup)
    const { brief } = await listener.next('brief')
    assert.deepEqual(
      [brief.since, brief.tickets.open, brief.tickets.done, brief.tickets.created],
      [null, 1, 1, 2],
    )
    assert.deepEqual([brief.deployments.succeeded, brief.deployments.failed, brief.devlogs.count], [1, 0, 1])
    assert.deepEqual(
      brief.criteria.map(({ text, confidence, is_stale }) => [text, confidence, is_stale]),
      [['p95 is below 300 ms', 50, false]],
    )
    assert.deepEqual(brief.open_questions, [
      { id: initiative.question, text: 'Do we keep guest checkout?', category: 'direction' },
    ])
    await turnOver(listener, 1)
    assert.deepEqual(listener.said(), ['assistant: One ticket was done. Confidence is 50.'])
    // The model was given the figures, with tools that only read and propose.
    const opening = JSON.stringify(fake.requests.at(-1)?.json)
    assert.match(opening, /p95 is below 300 ms/)
    assert.doesNotMatch(opening, /approve_|"save|"delete|"update_/)

    await context.test('the agent asks, reads, looks up and proposes', async () => {
      const question = { category: 'direction', content: 'Keep guests?', question_id: initiative.question }
      fake.script(wire, {
        text: 'Let me look.',
        toolCalls: [
          { name: 'list_devlogs', arguments: {} },
          { name: 'research', arguments: { query: 'load test', web: false } },
        ],
      })
      const change = {
        criterion_id: initiative.criterion,
        confidence: 80,
        reason: 'The load test passed',
        evidence: [{ url: `/devlogs/${devlog.id}`, quote: 'p95 was 210 ms' }],
      }
      const decision = {
        title: 'Keep guest checkout',
        context: 'A third buy as guests.',
        options: ['Keep it', 'Remove it'],
        decision: 'Guests may buy without an account.',
        rationale: 'They asked for it.',
        consequences: 'Addresses are asked twice.',
      }
      fake.script(wire, {
        text: '',
        toolCalls: [
          { name: 'ask_question', arguments: question },
          { name: 'propose_confidence', arguments: change },
          { name: 'propose_decision', arguments: decision },
        ],
      })
      fake.script(wire, { text: 'I have written it down.' })
      assert.equal((await initiative.say('We keep guest checkout.')).status, 202)
      await turnOver(listener, 2)
      assert.deepEqual(listener.said().slice(1), [
        'user: We keep guest checkout.',
        'assistant: Let me look.',
        'assistant: I have written it down.',
      ])
      const asked = await listener.next('question')
      assert.deepEqual(
        [asked.category, asked.content, asked.question_id],
        ['direction', 'Keep guests?', initiative.question],
      )
      const tool = await listener.next('tool')
      assert.deepEqual(
        [tool.summary, tool.is_error, tool.links],
        ['Read 1 devlog', false, [{ title: 'Load test', url: `/devlogs/${devlog.id}` }]],
      )
      const research = await listener.next('research')
      assert.deepEqual([research.query, research.requested_by], ['load test', 'agent'])
      assert.deepEqual(
        proposalsIn(listener).map(({ kind, status }) => [kind, status]),
        [
          ['confidence', 'pending'],
          ['decision', 'pending'],
        ],
      )
    })

    await context.test('the person looks something up, with pages of the web', async () => {
      await waitFor('the devlog in the index', async () => {
        const found = await call('/api/v1/search', { json: { query: 'Load test', kinds: ['devlog'] } })
        return found.json.results.length > 0
      })
      fake.script('perplexity', { text: 'Guests buy less [1].' })
      const { status, json } = await call(`${initiative.standup}/research`, { json: { query: 'Load test' } })
      assert.equal(status, 200)
      assert.equal(json.query, 'Load test')
      const ours = json.results.find((result: { url: string }) => result.url === `/devlogs/${devlog.id}`)
      assert.equal(ours?.source, 'devlog')
      const pages = json.results.filter((result: { source: string }) => result.source === 'web')
      assert.ok(pages.length > 0, JSON.stringify(listener.events.filter(({ type }) => type === 'research')))
      for (const result of json.results)
        assert.deepEqual(Object.keys(result).toSorted(), ['excerpt', 'score', 'source', 'title', 'url'])
      const event = await listener.next('research', ({ requested_by }) => requested_by === 'human')
      assert.deepEqual(event.results, json.results)
    })

    const [confidence, decision] = proposalsIn(listener)
    await context.test(
      'proposals are edited, accepted and rejected without changing the initiative',
      async () => {
        const at = `${initiative.standup}/proposals`
        const edited = await call(`${at}/${confidence?.id}/edit`, { json: { confidence: 70 } })
        assert.deepEqual(
          [edited.json.confidence, edited.json.proposed, edited.json.before, edited.json.status],
          [70, 80, 50, 'accepted'],
        )
        assert.equal((await call(`${at}/${decision?.id}/reject`, { json: {} })).json.status, 'rejected')
        assert.equal((await call(`${at}/${decision?.id}/accept`, { method: 'POST' })).json.status, 'accepted')
        assert.deepEqual(await rowsOf(server.target, initiative.id), before)
      },
    )

    fake.script(wire, { text: 'Guest checkout stays.' })
    const { status, json: end } = await initiative.end()
    assert.equal(status, 200)
    assert.equal(end.status, 'ended')
    assert.deepEqual(
      end.artifacts.map(({ type, status: state }: { type: string; status: string }) => [type, state]),
      [
        ['meeting_notes', 'draft'],
        ['criteria_update', 'draft'],
        ['decision_record', 'draft'],
      ],
    )
    await listener.ended
    assert.equal(listener.events.at(-1)?.type, 'ended')
    assert.deepEqual(await rowsOf(server.target, initiative.id), before)

    await context.test('approved drafts are saved, as they were edited; rejected ones are not', async () => {
      const [notes, update, record] = end.artifacts
      const at = `${initiative.standup}/artifacts`
      assert.match(notes.content, /^## Summary\n\nGuest checkout stays\.\n/)
      assert.match(notes.content, /- Tickets: 1 done, 2 created, 1 open/)
      assert.equal((await call(`${at}/${notes.id}/reject`, { json: { reason: 'Too long' } })).status, 200)
      assert.deepEqual(await rowsOf(server.target, initiative.id), before)
      assert.match(update.content, /^\*\*Confidence:\*\* 50 → 70/)
      const lower = update.content.replace('50 → 70', '50 → 65')
      const approved = await call(`${at}/${update.id}/approve`, { json: { content: lower } })
      assert.deepEqual([approved.status, approved.json.status, approved.json.edited], [200, 'approved', true])
      assert.equal((await call(`${at}/${record.id}/approve`, { method: 'POST' })).status, 200)
      assert.equal((await call(`${at}/${record.id}/approve`, { method: 'POST' })).status, 409)
      const { json: saved } = await call(initiative.path)
      assert.deepEqual([saved.criteria[0].confidence, saved.criteria[0].history.at(-1).proposed], [65, 80])
      assert.equal(saved.criteria[0].history.at(-1).evidence[0].url, `/devlogs/${devlog.id}`)
      const [kept] = saved.decisions
      assert.deepEqual(
        [kept.title, kept.context, kept.options, kept.decision, kept.rationale, kept.consequences],
        [
          'Keep guest checkout',
          'A third buy as guests.',
          ['Keep it', 'Remove it'],
          'Guests may buy without an account.',
          'They asked for it.',
          'Addresses are asked twice.',
        ],
      )
      assert.deepEqual(
        [kept.standup_id, saved.artifacts.map(({ type }: { type: string }) => type).toSorted()],
        [end.session_id, ['criteria_update', 'decision_record']],
      )
      const file = await call(`${at}/${record.id}?format=md`)
      assert.match(file.headers.get('content-disposition') ?? '', /keep-guest-checkout\.md"$/)
      assert.match(file.text, /^# Keep guest checkout\n\n\*\*Decided by:\*\*/)
    })

    await context.test('its cost is in the usage log under the session', async () => {
      const { json } = await call(`${initiative.path}/standups/${end.session_id}`)
      assert.ok(Number(json.cost) > 0, json.cost)
      const { json: log } = await call(`/api/v1/logs?session=${end.session_id}`)
      // Opening, three steps, one search of the web, the summary.
      assert.equal(log.total, 6)
      const { json: list } = await call('/api/initiatives')
      assert.equal(list.data[0].last_standup_at, json.started_at)
    })
  })
