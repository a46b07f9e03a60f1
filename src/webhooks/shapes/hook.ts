import { z } from 'zod'
import { line, time } from './fields.ts'

export const hookKinds = ['github', 'gitlab', 'alertmanager', 'grafana', 'generic'] as const
export const hookKind = z.enum(hookKinds)
export type HookKind = z.infer<typeof hookKind>

const name = line(100).meta({ examples: ['Main repository'] })

const secret = z
  .string()
  .min(8, 'must have at least 8 characters; leave it out to have one generated')
  .max(200, 'must have at most 200 characters')
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable ASCII without spaces around it')

const deployWorkflows = z
  .array(line(200))
  .max(20)
  .meta({
    description:
      'GitHub workflows (name or file name) and GitLab pipelines (name) whose runs are deployments. Leave it empty where deployments are reported by themselves.',
    examples: [['deploy.yml']],
  })

export const hookBody = z
  .object({
    kind: hookKind,
    name,
    secret: secret
      .optional()
      .meta({ description: 'What the sender signs with. Generated if it is not sent.' }),
    deploy_workflows: deployWorkflows.optional(),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ kind: 'github', name: 'Main repository' }] })

export const hookChange = z
  .object({ name, secret, is_active: z.boolean(), deploy_workflows: deployWorkflows })
  .partial()
  .meta({ examples: [{ is_active: false }] })

const hookFields = {
  id: z.uuid(),
  group_id: z.uuid(),
  kind: hookKind,
  name: z.string().meta({ examples: ['Main repository'] }),
  url: z.string().meta({
    description: 'The address to enter at the sender.',
    examples: ['https://signalbox.example/api/webhooks/github/0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'],
  }),
  is_active: z.boolean(),
  deploy_workflows: z.array(z.string()).meta({ examples: [['deploy.yml']] }),
  created_by: z.uuid().nullable(),
  created_at: time,
  updated_at: time,
  last_delivery_at: time.nullable(),
  last_status: z.enum(['pending', 'processed', 'ignored', 'failed']).nullable(),
}

export const hook = z.object(hookFields).meta({ id: 'Webhook' })
export const newHook = z
  .object({
    ...hookFields,
    secret: z.string().meta({
      description: 'Shown in this response only.',
      examples: ['whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9u'],
    }),
  })
  .meta({ id: 'NewWebhook' })

export type Hook = z.infer<typeof hook>
export type NewHook = z.infer<typeof newHook>
