/** Too long for every run of the tests. `npm run audit:security` */
import { joined } from '../matrix/principals.ts'
import { startAudited } from '../server.ts'
import { testAs } from './test-as.ts'

const server = await startAudited()
const { cookie = '', origin = '' } = await joined(server, 'viewer')
testAs(server, {
  name: 'a viewer',
  scheme: 'session',
  headers: { Cookie: cookie, Origin: origin },
  creates: false,
  without: ['signOut', 'signOutEverywhere', 'removeMember'],
  // It cannot leave out the cookie of a header; test/security/matrix does.
  unchecked: ['ignored_auth'],
})
