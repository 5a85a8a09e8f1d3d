// Whether people hear of a monitor that another product's import made.
import t from 'tap'
import type { ImportId } from '../../../src/base/ids.ts'
import { isSilent, mayBeShown } from '../../../src/domain/monitors/shadow.ts'

const importId = 'imp_01arz3ndektsv4rrffq69g5fav' as ImportId

t.test('a monitor is silent from its import until it goes live', async (t) => {
  const silent = { isPublic: true, shadow: { importId, sinceMs: 1, liveAtMs: null } }
  const live = { isPublic: true, shadow: { ...silent.shadow, liveAtMs: 2 } }
  const usual = { isPublic: true, shadow: undefined }
  t.same([silent, live, usual].map(isSilent), [true, false, false])
  t.same([silent, live, usual].map(mayBeShown), [false, true, true])
  t.notOk(mayBeShown({ ...live, isPublic: false }))
})
