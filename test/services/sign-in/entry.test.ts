// Who may register now, as the pages at the entrance say it.
import t from 'tap'
import { createEntry } from '../../../src/services/sign-in/entry.ts'
import { openAccess } from '../../support/access.ts'

t.test('first the holder of the setup token, then only invited people', async (t) => {
  const { store, setupToken, enrol } = openAccess(t, { registration: 'first-user' })
  const entry = createEntry({ store, registration: 'first-user', hasMailServer: false })
  t.same([entry.isNew(), entry.mayRegister(), entry.takesSetupToken()], [true, 'setup', true])
  await enrol('ada', { setupToken: (await setupToken.ensure()) ?? '' })
  t.same([entry.isNew(), entry.mayRegister(), entry.takesSetupToken()], [false, 'invited', false])
})

t.test('where anyone may register, the token still makes the administrator', async (t) => {
  const { store, enrol } = openAccess(t)
  const entry = createEntry({ store, registration: 'open', hasMailServer: true })
  await enrol('ada')
  t.same([entry.isNew(), entry.mayRegister(), entry.takesSetupToken()], [false, 'anyone', true])
})
