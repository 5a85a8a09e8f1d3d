// Each kind of check, as it is declared.
import t from 'tap'
import { checkTypes, kindOf, probedKinds } from '../../../src/probes/registry.ts'
import { kindContract } from '../../contracts/kind.contract.ts'

for (const kind of probedKinds) {
  t.test(`the contract of the kind ${kind.type}`, async (t) => kindContract(t, kind))
}

t.test('each kind has a word of its own', async (t) => {
  t.equal(new Set(checkTypes).size, checkTypes.length)
  for (const type of checkTypes) t.equal(kindOf({ checkType: type }).type, type)
  t.throws(() => kindOf({ checkType: 'fax' }), { message: 'There is no checkType fax.' })
})
