/** Too long for every run of the tests. `npm run audit:security` */
import { bearer } from '../matrix/principals.ts'
import { startAudited } from '../server.ts'
import { testAs } from './test-as.ts'

const server = await startAudited()
testAs(server.url, {
  name: 'a key',
  headers: bearer(server.key),
  without: ['updateApiKey', 'revokeApiKey', 'removeMember'],
})
