import { z } from 'zod'

/** A member of the group who was invited to speak in a stand-up of somebody else. */
export const guest = z.object({ user_id: z.uuid(), name: z.string().meta({ examples: ['Ada'] }) })

export const inviteBody = z
  .strictObject({ user_id: z.uuid().meta({ description: 'A member, admin or owner of the group.' }) })
  .meta({ examples: [{ user_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f' }] })
export const invitedGuests = z.object({ invited: z.array(guest) })
