// The tokens of custom domains.
import t from 'tap'
import { createDomainProofs } from '../../src/seal/domain-proof.ts'

const proofs = createDomainProofs(Buffer.alloc(32, 1))

t.test('an organization has one token of 160 bits for each host name', async (t) => {
  const token = proofs.token('org_a', 'status.example.com')
  t.match(token, /^[0-9a-f]{40}$/)
  t.equal(proofs.token('org_a', 'status.example.com'), token)
  const others = [
    proofs.token('org_b', 'status.example.com'),
    proofs.token('org_a', 'other.example.com'),
    createDomainProofs(Buffer.alloc(32, 2)).token('org_a', 'status.example.com'),
  ]
  t.equal(new Set([token, ...others]).size, 4)
})

t.test('an answer fits its question, its host and its installation', async (t) => {
  const answers = [
    proofs.answer('status.example.com', 'a'),
    proofs.answer('status.example.com', 'b'),
    proofs.answer('other.example.com', 'a'),
    createDomainProofs(Buffer.alloc(32, 2)).answer('status.example.com', 'a'),
  ]
  t.equal(new Set(answers).size, 4)
})
