import { z } from 'zod'
import { policySchema } from '#sql/contract'

/** Shapes of the registry of agents and of their runs. Browser-safe. */

export * from './shapes/ask.ts'
export * from './shapes/run.ts'
export * from './shapes/cron-words.ts'
export * from './shapes/schedule.ts'

const line = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .trim()
    .min(1)
    .meta({ pattern: String.raw`\S` })

export const agentId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'must have 1 to 63 small letters, digits or - and begin with a letter or digit',
  )
  .meta({ examples: ['data-engineer'] })

/** In place of a model: the group's default for agents, at each run. */
export const defaultModel = 'default'

export const permissionModes = ['default', 'plan', 'acceptEdits', 'dontAsk', 'bypassPermissions'] as const

const serverName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 letters, digits, _ or -')

const mcpServers = z
  .record(
    serverName,
    z.strictObject({
      command: line(1_000),
      args: z.array(z.string().max(4_000)).max(64).optional(),
    }),
  )
  .refine((servers) => Object.keys(servers).length <= 16, 'must have at most 16 servers')
  .meta({
    description: 'Tool servers that a run starts over stdio, by name. Only a signed-in owner may set them.',
    examples: [{}],
  })

const configFields = {
  mcp_servers: mcpServers,
  system_prompt: z
    .string()
    .max(50_000)
    .meta({ examples: ['You validate data and report what you find.'] }),
  permission_mode: z.enum(permissionModes).meta({
    description:
      '`default` asks before it changes something, `plan` only reads, `acceptEdits` asks before it destroys something, `dontAsk` denies what would ask, `bypassPermissions` never asks. None goes past the SQL policy, which alone decides about statements.',
  }),
  policy: policySchema.nullable().meta({ description: 'What the agent may do in databases. Null: nothing.' }),
}

const config = z.strictObject({
  mcp_servers: configFields.mcp_servers.default({}),
  system_prompt: configFields.system_prompt.default(''),
  permission_mode: configFields.permission_mode.default('default'),
  policy: configFields.policy.default(null),
})

const fields = {
  name: line(100).meta({ description: 'The display name.', examples: ['Data validator'] }),
  model: line(200).meta({ description: 'The model, as the gateway knows it.', examples: ['my-model'] }),
  category: line(60).meta({ examples: ['data'] }),
  description: z
    .string()
    .max(1_000)
    .meta({ examples: ['Checks tables every morning'] }),
  capabilities: z
    .array(line(100))
    .max(50)
    .meta({ examples: [['data validation']] }),
}

const examplePolicy = {
  allowed_databases: ['application'],
  allowed_operations: ['SELECT'],
  requires_approval: ['INSERT'],
  environment: 'dev',
}

export const agentBody = z
  .strictObject({
    id: agentId,
    name: fields.name,
    model: fields.model,
    category: fields.category.default('custom'),
    description: fields.description.default(''),
    capabilities: fields.capabilities.default([]),
    config: config.prefault({}),
    group_id: z.uuid().optional(),
  })
  .meta({
    examples: [
      // Without a policy, which only people may set.
      { id: 'data-validator', name: 'Data validator', model: 'my-model' },
    ],
  })

export const agentChange = z
  .strictObject({
    ...fields,
    config: z.strictObject(configFields).partial(),
    version: z
      .int()
      .min(1)
      .meta({ description: 'The version that you changed; 409 if there is a newer one.' }),
    group_id: z.uuid(),
  })
  .partial()
  .meta({ examples: [{ description: 'Checks the orders every night' }] })

const time = z.string().meta({ format: 'date-time', examples: ['2026-11-16T09:30:00.000Z'] })

export const agent = z
  .object({
    id: agentId,
    group_id: z.uuid(),
    ...fields,
    config: z.object({
      ...configFields,
      mcp_servers: z.record(z.string(), z.unknown()),
      policy: z.unknown(),
    }),
    version: z.int().meta({ description: 'Rises with every change.', examples: [3] }),
    policy_version: z.int().meta({
      description: 'The version in which the policy changed last. Approvals are bound to it.',
      examples: [2],
    }),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'Agent',
    examples: [
      {
        id: 'data-validator',
        group_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a',
        name: 'Data validator',
        model: 'my-model',
        category: 'custom',
        description: '',
        capabilities: [],
        config: { mcp_servers: {}, system_prompt: '', permission_mode: 'default', policy: examplePolicy },
        version: 1,
        policy_version: 1,
        created_by: null,
        created_at: '2026-11-16T09:30:00.000Z',
        updated_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  })

export const agentVersion = z
  .object({
    version: z.int().meta({ examples: [3] }),
    policy_version: z.int().meta({ examples: [2] }),
    change: z.enum(['created', 'changed', 'deleted']),
    record: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The agent as it was then.', examples: [{ name: 'Data validator' }] }),
    changed_by: z.string().meta({ examples: ['Ada'] }),
    changed_at: time,
  })
  .meta({ id: 'AgentVersion' })

export type AgentConfig = z.infer<typeof config>
export type AgentInput = z.infer<typeof agentBody>
export type AgentChange = z.infer<typeof agentChange>
export type Agent = z.infer<typeof agent>
export type AgentVersion = z.infer<typeof agentVersion>
