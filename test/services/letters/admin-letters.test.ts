// Letters to administrators: one for each, in the language of their organization.
import t from 'tap'
import type { OrgId } from '../../../src/base/ids.ts'
import type { User } from '../../../src/domain/people/person.ts'
import { testLetter } from '../../../src/mail/letters/test-letter.ts'
import { writeToAdmins } from '../../../src/services/letters/admin-letters.ts'
import { openAccess } from '../../support/access.ts'

t.test('each administrator reads the language of their first organization', async (t) => {
  const { store, mailer, letters, enrol, clock } = openAccess(t)
  const people = new Map<string, { user: User; organization: { id: OrgId } }>()
  for (const [name, language] of [
    ['ann', 'fr'],
    ['bob', undefined],
    ['cy', 'ja'],
  ] as const) {
    const { user, organization } = await enrol(name)
    await store.write((tx) => {
      store.users.put(tx, { ...user, isSystemAdmin: name !== 'cy' })
      if (language) store.orgs.put(tx, { ...organization, language })
    })
    people.set(name, { user, organization })
  }
  // Who joins another organization reads on as before.
  const [ann, cy] = [people.get('ann'), people.get('cy')]
  await store.write((tx) => {
    if (!ann || !cy) return
    const place = { orgId: cy.organization.id, userId: ann.user.id }
    store.memberships.put(tx, { ...place, role: 'member', joinedAtMs: clock.nowMs() + 1 })
  })
  letters.length = 0
  const about = { service: 'https://up.test', server: 'mail.test' }
  await store.write((tx) =>
    writeToAdmins(tx, { store, mailer }, (language) => testLetter({ ...about, language })),
  )
  t.match(
    letters.toSorted((a, b) => a.to.localeCompare(b.to)),
    [
      { to: /^ann@/, subject: 'Message d’essai de stillup' },
      { to: /^bob@/, subject: 'Test letter from stillup' },
    ],
  )
  t.equal(letters.length, 2)
})
