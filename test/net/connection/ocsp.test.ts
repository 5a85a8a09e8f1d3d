// Stapled OCSP responses: what they say of a certificate, and that nonsense says nothing.
import { X509Certificate } from 'node:crypto'
import t from 'tap'
import { stapleStatus } from '../../../src/net/connection/ocsp.ts'
import { chains, staples } from '../../support/chain-certificates.ts'

const { serialNumber } = new X509Certificate(chains.leaf.cert)
const bytesOf = (text: string) => Buffer.from(text, 'base64')

t.test('a response says that a certificate is good, revoked or unknown', async (t) => {
  t.equal(stapleStatus(bytesOf(staples.good), serialNumber), 'good')
  t.equal(stapleStatus(bytesOf(staples.revoked), serialNumber), 'revoked')
  t.equal(stapleStatus(bytesOf(staples.unknown), serialNumber), 'unknown')
})

t.test('it says nothing about another certificate', async (t) => {
  t.equal(stapleStatus(bytesOf(staples.revoked), '1234'), 'unreadable')
})

t.test('a refusal, a piece and plain nonsense are unreadable', async (t) => {
  const good = bytesOf(staples.good)
  const tryLater = Buffer.from([0x30, 0x03, 0x0a, 0x01, 0x03])
  t.equal(stapleStatus(tryLater, serialNumber), 'unreadable')
  for (let length = 0; length < good.length; length++) {
    t.equal(stapleStatus(good.subarray(0, length), serialNumber), 'unreadable')
  }
  for (let at = 0; at < good.length; at++) {
    const bent = Buffer.from(good)
    bent.writeUInt8(0xff ^ bent.readUInt8(at), at)
    stapleStatus(bent, serialNumber)
  }
  t.equal(stapleStatus(Buffer.alloc(64 * 1024, 0x30), serialNumber), 'unreadable')
  t.equal(stapleStatus(Buffer.alloc(64 * 1024), serialNumber), 'unreadable')
})
