// What a subscriber from another status page hears of here.
import t from 'tap'
import { carriedSubscriber } from '../../../src/domain/imports/carried-subscriber.ts'

const page = {
  source: 'status.example.com',
  sectionNameOf: (chosen: string) =>
    new Map([
      ['web', 'Web'],
      ['app', 'Web'],
    ]).get(chosen),
}
const ada = { address: 'ada@example.com', confirmedAt: '2025-03-01T09:30:00Z' }
const consent = { source: page.source, confirmedAt: ada.confirmedAt }

t.test('sections with what was chosen, each once; all where something is in none', async (t) => {
  const of = (...chosen: string[]) => carriedSubscriber({ ...ada, chosen }, page)
  t.same(of(), { address: ada.address, consent })
  t.same(of('web', 'app'), { address: ada.address, sectionNames: ['Web'], consent })
  t.same(of('web', 'elsewhere'), { address: ada.address, consent })
})
