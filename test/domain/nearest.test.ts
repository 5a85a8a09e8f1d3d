// "Did you mean …" for mistyped names.
import t from 'tap'
import { nearest } from '../../src/domain/nearest.ts'

t.test('a typing error is recognized, another word is not', async (t) => {
  const names = ['http.listen', 'http.baseUrl', 'log.level']
  t.equal(nearest('http.lisen', names), 'http.listen')
  t.equal(nearest('http.base_url', names), 'http.baseUrl')
  t.equal(nearest('loglevel', names), 'log.level')
  t.equal(nearest('colour', names), undefined)
  t.equal(nearest('', names), undefined)
})
