import { z } from 'zod'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import type { Channels } from '../channels.ts'
import type { ChannelRow } from '../channel-store.ts'
import { channel, channelBody, channelChange, testResult, type TestResult } from '../contract.ts'
import { toChannel } from '../to-json.ts'

const tags = ['Notifications']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the channel.' }) })
const admin = { needs: 'admin' } as const

export interface ChannelRouteDeps {
  channels: Channels
  test(channel: ChannelRow): Promise<TestResult>
}

export function channelRoutes(app: Http, { channels, test }: ChannelRouteDeps): void {
  app.get(
    '/api/v1/channels',
    {
      config: { ...admin, inGroup: true },
      schema: {
        tags,
        operationId: 'listChannels',
        summary: 'List channels',
        description: 'The channels of the group, oldest first. Secrets are not shown.',
        querystring: z.object({ group_id: z.uuid().optional() }),
        response: { 200: listOf(channel) },
      },
    },
    async (request) => ({ data: (await channels.list(groupOf(request).id)).map(toChannel) }),
  )

  app.post(
    '/api/v1/channels',
    {
      config: { ...admin, inGroup: true, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'createChannel',
        summary: 'Create a channel',
        description:
          'Which fields `config` has depends on the type. Secrets are stored encrypted and never returned.',
        body: channelBody,
        response: { 201: channel },
      },
    },
    async (request, reply) => {
      const row = await channels.create(principalOf(request), groupOf(request), request.body)
      return reply.code(201).send(toChannel(row))
    },
  )

  app.patch(
    '/api/v1/channels/:id',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'updateChannel',
        summary: 'Update a channel',
        description:
          'Fields that are not sent keep their values, those of `config` too. The type cannot change.',
        params,
        body: channelChange,
        response: { 200: channel },
      },
    },
    async (request) =>
      toChannel(await channels.change(principalOf(request), request.params.id, request.body)),
  )

  app.delete(
    '/api/v1/channels/:id',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'deleteChannel',
        summary: 'Delete a channel',
        description: 'Its deliveries are deleted with it, also those that wait.',
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await channels.remove(principalOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/v1/channels/:id/test',
    {
      config: { ...admin, docs: { noBody: true } },
      schema: {
        tags,
        operationId: 'testChannel',
        summary: 'Test a channel',
        description:
          'Sends a test message now, also while the channel is inactive or quiet, and returns what the receiver responded. It is not repeated.',
        params,
        response: { 200: testResult },
      },
    },
    async (request) => test(await channels.find(principalOf(request), request.params.id)),
  )
}
