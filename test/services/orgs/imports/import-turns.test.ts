// One import of an organization at a time.
import t from 'tap'
import { createImportTurns } from '../../../../src/services/orgs/imports/import-turns.ts'
import { orgA } from '../../../support/make-incident.ts'
import { orgTwo } from '../../../support/make-page.ts'

t.test('while an import runs, another one of the organization is refused', async (t) => {
  const turns = createImportTurns()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.alone(orgA, () => promise)
  await t.rejects(
    turns.alone(orgA, async () => {}),
    { code: 'conflict', message: /is not over yet/, headers: [['Retry-After', '2']] },
  )
  t.equal(await turns.alone(orgTwo, async () => 'another organization'), 'another organization')
  resolve()
  await first
  await t.rejects(
    turns.alone(orgA, async () => {
      throw new Error('refused')
    }),
    /refused/,
  )
  t.equal(await turns.alone(orgA, async () => 'free again'), 'free again')
})
