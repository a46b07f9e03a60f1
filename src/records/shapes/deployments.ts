import { z } from 'zod'
import { groupId, paging } from '#kernel/paging'
import {
  anyText,
  externalId,
  line,
  oneOrMore,
  serviceName,
  since,
  source,
  time,
  timeInput,
  until,
  webAddress,
  yesOrNo,
} from './fields.ts'

export const deploymentStatuses = ['started', 'succeeded', 'failed', 'rolled_back'] as const
export type DeploymentStatus = (typeof deploymentStatuses)[number]

const status = z.enum(deploymentStatuses)
const environment = line(100).meta({ examples: ['production'] })

const fields = z.object({
  service: serviceName,
  environment: environment.optional().meta({ description: 'Defaults to `production`.' }),
  version: line(200).nullable().optional(),
  status: status.default('started'),
  started_at: timeInput.optional().meta({ description: 'Defaults to now.' }),
  finished_at: timeInput
    .nullable()
    .optional()
    .meta({ description: 'Only with a final status. Defaults to now.' }),
  commit: line(200).nullable().optional(),
  committed_at: timeInput
    .nullable()
    .optional()
    .meta({ description: 'When the oldest new commit was made, for the lead time.' }),
  url: webAddress.nullable().optional(),
  deployed_by: line(200).nullable().optional(),
  is_rework: z
    .boolean()
    .optional()
    .meta({ description: 'Whether it is unplanned and repairs something, such as a hotfix.' }),
  incident_id: z.uuid().nullable().optional().meta({ description: 'The incident that it repairs.' }),
  source: source.default('api'),
  external_id: externalId.nullable().optional(),
})

export const deploymentBody = fields
  .extend(groupId)
  .strict()
  .meta({ examples: [{ service: 'checkout', version: '1.4.2', status: 'started', commit: '9fceb02' }] })

/** What is not sent keeps its value. */
export const deploymentChange = fields
  .omit({ source: true, external_id: true })
  .extend({ status })
  .partial()
  .strict()
  .meta({ examples: [{ status: 'succeeded' }] })

export const deployment = z
  .object({
    id: z.uuid(),
    group_id: z.uuid(),
    service: z.string(),
    environment: z.string(),
    version: z.string().nullable(),
    status,
    started_at: time,
    finished_at: time.nullable(),
    commit: z.string().nullable(),
    committed_at: time.nullable(),
    url: z.string().nullable(),
    deployed_by: z.string().nullable(),
    is_rework: z.boolean(),
    incident_id: z.uuid().nullable(),
    source: z.string(),
    external_id: z.string().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'Deployment',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        group_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a',
        service: 'checkout',
        environment: 'production',
        version: '1.4.2',
        status: 'succeeded',
        started_at: '2026-11-16T09:30:00.000Z',
        finished_at: '2026-11-16T09:34:10.000Z',
        commit: '9fceb02',
        committed_at: '2026-11-16T08:10:00.000Z',
        url: null,
        deployed_by: 'CI',
        is_rework: false,
        incident_id: null,
        source: 'api',
        external_id: null,
        created_at: '2026-11-16T09:30:00.120Z',
        updated_at: '2026-11-16T09:34:10.250Z',
      },
    ],
  })

export const deploymentQuery = z.object({
  service: anyText(100).optional().meta({ description: 'Only deployments of this service.' }),
  environment: anyText(100).optional().meta({ description: 'Only deployments to this environment.' }),
  status: oneOrMore(deploymentStatuses, 'Only deployments with this status.'),
  since,
  until,
  ended_since: timeInput.optional().meta({
    description: 'Only those that ended at or after this time. One that runs counts by its start.',
  }),
  ended_until: timeInput.optional().meta({ description: 'Only those that ended before this time.' }),
  is_production: yesOrNo(
    'Only deployments to environments whose name begins with prod, production or live, or only others.',
  ),
  is_rework: yesOrNo('Only deployments that are marked as rework or repair an incident, or only others.'),
  is_change_failure: z.literal('true', 'must be true').optional().meta({
    description:
      'Only those that count as failed changes: failed or rolled back, named by an incident, or with rework of the same service and environment as the next deployment, begun within 24 hours. Needs `ended_since`.',
  }),
  ...paging(500),
})

export type Deployment = z.infer<typeof deployment>
export type DeploymentInput = z.infer<typeof deploymentBody>
export type DeploymentChange = z.infer<typeof deploymentChange>
export type DeploymentQuery = z.infer<typeof deploymentQuery>
