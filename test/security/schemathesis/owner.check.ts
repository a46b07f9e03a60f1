/** Too long for every run of the tests. `npm run audit:security` */
import { ownerTokenOf } from '../../harness/owner.ts'
import { startAudited } from '../server.ts'
import { testAs } from './test-as.ts'

const server = await startAudited()
testAs(server.url, {
  name: 'the owner',
  headers: { 'x-owner-token': ownerTokenOf(server.url) ?? '' },
  without: [],
})
