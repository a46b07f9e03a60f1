/** Too long for every run of the tests. `npm run audit:security` */
import { joined } from '../matrix/principals.ts'
import { startAudited } from '../server.ts'
import { testAs } from './test-as.ts'

const server = await startAudited()
testAs(server.url, {
  name: 'a viewer',
  headers: await joined(server, 'viewer'),
  without: ['signOut', 'removeMember'],
})
