// Country codes: complete, each once, and two spellings of one country are one.
import t from 'tap'
import { countryCode, countryCodes } from '../../../src/domain/identity-verification/countries.ts'

t.test('every country is there once, and has a name', (t) => {
  t.equal(countryCodes.length, 249)
  t.equal(new Set(countryCodes).size, 249)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  t.same(
    countryCodes.filter((code) => !/^[A-Z]{2}$/.test(code) || !names.of(code)),
    [],
  )
  t.end()
})

t.test('two letters and three mean the same country, in any case', (t) => {
  const spellings = { DE: 'DEU', AT: 'AUT', CH: 'CHE', GB: 'GBR', US: 'USA', ES: 'ESP', SE: 'SWE' }
  for (const [alpha2, alpha3] of Object.entries(spellings)) {
    for (const text of [alpha2, alpha3, alpha2.toLowerCase(), alpha3.toLowerCase()]) {
      t.equal(countryCode(text), alpha2, text)
    }
  }
  t.end()
})

t.test('an invalid country code is refused', (t) => {
  // The last one is two letters in capitals: SS is South Sudan.
  for (const text of ['', 'D', 'XX', 'ZZZ', 'EU', 'UK', 'Germany', 'DE ', 'constructor', 'ß']) {
    t.equal(countryCode(text), undefined, text)
  }
  t.end()
})
