// Who may register now, as the pages at the entrance say it.
import t from 'tap'
import { createEntrance } from '../../../src/services/sign-in/entrance.ts'
import { openAccess } from '../../support/access.ts'

t.test('first the holder of the setup token, then only invited people', async (t) => {
  const { core, setupToken, enrol } = openAccess(t, { registration: 'first-user' })
  const entrance = createEntrance(core, {
    registration: () => 'first-user',
    hasMailServer: () => false,
  })
  t.same(
    [entrance.isNew(), entrance.mayRegister(), entrance.takesSetupToken()],
    [true, 'setup', true],
  )
  await enrol('ada', { setupToken: (await setupToken.ensure()) ?? '' })
  t.same(
    [entrance.isNew(), entrance.mayRegister(), entrance.takesSetupToken()],
    [false, 'invited', false],
  )
})

t.test('where anyone may register, the token still makes the administrator', async (t) => {
  const { core, enrol } = openAccess(t)
  const entrance = createEntrance(core, { registration: () => 'open', hasMailServer: () => true })
  await enrol('ada')
  t.same(
    [entrance.isNew(), entrance.mayRegister(), entrance.takesSetupToken()],
    [false, 'anyone', true],
  )
})
