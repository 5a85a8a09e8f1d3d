// What of a check is a secret, and what are words that any answer may hold.
import t from 'tap'
import { redactedValuesMax, secretsSent } from '../../src/redaction/sent-secrets.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'

const valuesOf = (fields: TargetFields) => secretsSent(makeTarget(fields), []).values

t.test('common words are secrets only under a telling name', async (t) => {
  const headers = { 'X-Debug': 'true', 'X-Format': 'json', 'X-Env': 'production', 'X-N': '1' }
  t.same(valuesOf({ headers }), [])
  t.same(valuesOf({ headers: { 'X-Api-Key': 'json', 'X-Password': 'true' } }), ['json', 'true'])
  t.same(valuesOf({ headers: { Cookie: 'wide=true; session=true' } }).includes('true'), true)
  t.same(valuesOf({ headers: { Cookie: 'wide=true' } }), ['wide=true'])
})

t.test('the reason of a failed check is not a secret', async (t) => {
  const headers = {
    Host: 'shop.example',
    'If-Modified-Since': 'Sat, 21 Nov 2026 10:00:00 GMT',
    Prefer: 'wait=3000',
    'X-Timeout': '3000',
    'X-Forwarded-Host': 'shop.example',
  }
  t.same(valuesOf({ headers }), [])
  t.same(valuesOf({ headers: { 'X-Source': 'internal server' } }), ['internal server'])
  t.same(valuesOf({ headers: { 'X-Gate': 'Bearer tok3nXY' } }), ['tok3nXY', 'Bearer tok3nXY'])
  t.same(valuesOf({ headers: { 'X-Pin': '3000' } }), ['3000'])
  t.notOk(valuesOf({ body: 'PING internal status' }).includes('PING internal status'))
})

t.test('a login is a secret in each charset in which it may be sent', async (t) => {
  const login = Buffer.from('me:pässwort', 'latin1').toString('base64')
  t.ok(valuesOf({ headers: { Authorization: `Basic ${login}` } }).includes('pässwort'))
})

t.test('their number never exceeds the bound', async (t) => {
  const body = Array.from({ length: 1_000 }, (_, i) => `line-${i} word-${i}`).join('\n')
  t.equal(valuesOf({ body }).length, redactedValuesMax)
})
