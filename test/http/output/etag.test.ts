// Entity tags: unchanged is unchanged, and a change names the version it was made from.
import t from 'tap'
import { etagOf, isUnchanged, wantedRevision } from '../../../src/http/output/etag.ts'

t.test('a tag changes with the record and with its live values', async (t) => {
  const tag = etagOf(3, 'body')
  t.equal(etagOf(3, 'body'), tag)
  t.not(etagOf(4, 'body'), tag)
  t.not(etagOf(3, 'other'), tag)
})

t.test('a reader may name several tags, weak ones and any', async (t) => {
  const tag = etagOf(3, 'body')
  for (const named of [tag, `"a", ${tag}`, `W/${tag}`, '*']) t.ok(isUnchanged(named, tag), named)
  for (const named of ['"a"', tag.slice(1), 'x']) t.notOk(isUnchanged(named, tag), named)
})

t.test('a writer names the revision, whatever was shown beside it', async (t) => {
  t.equal(wantedRevision(etagOf(3, 'body')), 3)
  t.equal(wantedRevision('"3"'), 3)
  t.equal(wantedRevision('"3-x", "3-y"'), 3)
  t.equal(wantedRevision(''), undefined)
  t.equal(wantedRevision('*'), undefined)
  for (const wrong of ['3', 'W/"3"', '"3", "4"', '"x"', '"3" "3"']) {
    t.throws(() => wantedRevision(wrong), { code: 'precondition_failed' }, wrong)
  }
})
