// What the locations of a monitor say of it, in one sentence.
import t from 'tap'
import { placesIn } from '../../src/domain/locations/shown-places.ts'
import { languages } from '../../src/texts/languages.ts'

const [frankfurt, paris] = ['Frankfurt', 'Paris'].map((name) => ({ name, state: 'down' }) as const)
const oslo = { name: 'Oslo', state: 'up' } as const
const here = { name: null, state: 'down' } as const
const three = [frankfurt, oslo, paris].flatMap((one) => one ?? [])

t.test('it names the locations by what they say, in the order of the monitor', async (t) => {
  t.equal(placesIn('en', three), 'Fails from Frankfurt and Paris, works from Oslo.')
  t.equal(placesIn('de', three), 'Gestört von Frankfurt und Paris aus, erreichbar von Oslo aus.')
  t.equal(placesIn('zh', three), '从Frankfurt和Paris访问失败，从Oslo访问正常。')
})

t.test('it says what is slow, and of what nothing was heard', async (t) => {
  const said = [
    { name: 'Frankfurt', state: 'degraded' },
    { name: 'Lima', state: 'silent' },
    here,
    { name: 'Rome', state: 'pending' },
  ] as const
  t.equal(placesIn('en', said), 'Fails from here, slow from Frankfurt, nothing heard from Lima.')
  t.equal(
    placesIn('de', said),
    'Gestört von hier aus, langsam von Frankfurt aus, nichts gehört von Lima.',
  )
})

t.test('where it fails from nowhere there is nothing to say', async (t) => {
  t.equal(placesIn('en', [oslo]), null)
  t.equal(placesIn('en', [{ name: 'Lima', state: 'silent' }]), null)
  t.equal(placesIn('en', []), null)
})

t.test('a name stays as it is written, in every language', async (t) => {
  for (const language of languages) {
    const sentence = placesIn(language, [{ name: 'eu-west', state: 'down' }, oslo])
    t.match(sentence, /eu-west.*Oslo/, language)
    t.match(sentence, /[.。]$/, language)
  }
})

t.test('in Arabic, names in Latin letters keep their order', async (t) => {
  t.match(placesIn('ar', three), '\u2068Frankfurt\u2069 و\u2068Paris\u2069')
})
