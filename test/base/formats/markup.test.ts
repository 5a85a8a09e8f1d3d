// Text in markup is shown, never read as markup.
import t from 'tap'
import { escapedMarkup } from '../../../src/base/formats/markup.ts'

t.test('what begins markup or ends an attribute is written as an entity', async (t) => {
  t.equal(escapedMarkup(`<b a="1" c='2'>&`), '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;')
  t.equal(escapedMarkup('plain `text`'), 'plain `text`')
})

t.test('a platform that reads other characters as markup names them', async (t) => {
  t.equal(escapedMarkup(`<'\``, /[<`]/g), "&lt;'&#96;")
})
