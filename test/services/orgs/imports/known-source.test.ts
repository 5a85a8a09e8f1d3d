// A document without a source stays as it is; that an installation is known again is in http/api/orgs/import-again.
import t from 'tap'
import { createFieldHash } from '../../../../src/seal/tokens.ts'
import { withKnownSource } from '../../../../src/services/orgs/imports/known-source.ts'
import { openCore } from '../../../support/core.ts'
import { orgA } from '../../../support/make-incident.ts'

t.test('what nobody imported before keeps its own name', (t) => {
  const core = openCore(t)
  const scope = { orgId: orgA }
  const hashOf = createFieldHash(Buffer.alloc(32))
  const source = { product: 'kuma', installation: 'a'.repeat(32) }
  t.same(withKnownSource(core, hashOf, scope, { source }), { source })
  t.same(withKnownSource(core, hashOf, scope, {}), {})
  t.end()
})
