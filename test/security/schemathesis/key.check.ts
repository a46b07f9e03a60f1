/** Too long for every run of the tests. `npm run audit:security` */
import { startAudited } from '../server.ts'
import { testAs } from './test-as.ts'

const server = await startAudited()
testAs(server, {
  name: 'a key',
  scheme: 'apiKey',
  headers: { Authorization: `Bearer ${server.key}` },
  creates: true,
  without: ['updateApiKey', 'revokeApiKey', 'removeMember'],
  unchecked: [],
})
