/** Too long for every run of the tests. `npm run audit:security` */
import { ownerTokenOf } from '../../harness/owner.ts'
import { startAudited } from '../server.ts'
import { testAs } from './test-as.ts'

const server = await startAudited()
testAs(server, {
  name: 'the owner',
  scheme: 'ownerToken',
  headers: { 'X-Owner-Token': ownerTokenOf(server.url) ?? '' },
  creates: true,
  without: [],
  unchecked: [],
})
