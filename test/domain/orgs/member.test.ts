// Who may grant what: every pair of roles, written out.
import t from 'tap'
import { roles } from '../../../src/domain/access.ts'
import { mayGrant, roleChangeProblem } from '../../../src/domain/orgs/member.ts'

t.test('admins and owners grant roles up to their own, others none', async (t) => {
  const granted = Object.fromEntries(
    roles.map((own) => [own, roles.filter((role) => mayGrant(own, role))]),
  )
  t.same(granted, {
    viewer: [],
    member: [],
    admin: ['viewer', 'member', 'admin'],
    owner: ['viewer', 'member', 'admin', 'owner'],
  })
})

t.test('you cannot change anyone above you, or raise anyone above you', async (t) => {
  for (const own of roles) {
    for (const before of roles) {
      for (const after of roles) {
        const isAllowed =
          own === 'owner' || (own === 'admin' && before !== 'owner' && after !== 'owner')
        const problem = roleChangeProblem(own, before, after)
        t.equal(problem === undefined, isAllowed, `${own}: ${before} to ${after}: ${problem}`)
      }
    }
  }
  t.match(roleChangeProblem('admin', 'owner', 'viewer'), /cannot change a role above/)
  t.match(roleChangeProblem('admin', 'viewer', 'owner'), /cannot grant a role above/)
})
