// Whether answers of private targets are kept, and who learns it.
import t from 'tap'
import { createLive } from '../../../src/config/live.ts'
import { loadSettings } from '../../../src/config/load.ts'
import { createPrivateAnswers } from '../../../src/services/checks/private-answers.ts'

function answersOf(organizations: number, env: Readonly<Record<string, string>> = {}) {
  const loaded = loadSettings({ env, cwd: t.testdirName, isTerminal: false })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  const { settings } = loaded
  const store = { orgs: { total: () => organizations } }
  return createPrivateAnswers({ store: store as never, live: createLive(settings) })
}

const always = { STILLUP_CHECKS_KEEP_PRIVATE_ANSWERS: 'always' }
const open = { STILLUP_AUTH_REGISTRATION: 'open' }

t.test('answers are kept for one organization, or for those of one company', async (t) => {
  t.equal(answersOf(0).state(), 'until_second_organization')
  t.equal(answersOf(1).state(), 'until_second_organization')
  t.equal(answersOf(2).state(), 'not_kept')
  t.equal(answersOf(1, always).state(), 'kept')
  t.equal(answersOf(2, always).state(), 'kept')
  t.equal(answersOf(1, open).state(), 'not_kept')
  t.equal(answersOf(1, { ...open, ...always }).state(), 'not_kept', 'strangers may come')
})

t.test('a person outside of every organization learns nothing of it', async (t) => {
  const answers = answersOf(1)
  const person = (isSystemAdmin: boolean, organizations: number) =>
    ({ user: { isSystemAdmin }, organizations: Array(organizations).fill({}) }) as never
  t.equal(answers.shownTo(person(false, 0)), null)
  t.equal(answers.shownTo(person(true, 0)), 'until_second_organization')
  t.equal(answers.shownTo(person(false, 1)), 'until_second_organization')
})
