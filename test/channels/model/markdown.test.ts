// Markdown: what strangers wrote stays text, and no URL breaks out of a link.
import t from 'tap'
import { commonMark, fullWidth, markdownLink } from '../../../src/channels/model/markdown.ts'

t.test('no markup survives the escapes', async (t) => {
  const escaped = commonMark.escape
  t.equal(escaped('*a* _b_ `c` [d](e) <f> #g'), '\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f\\> \\#g')
  t.equal(escaped('![x](y) &amp;'), '!\\[x\\](y) \\&amp;')
  t.equal(escaped('a - b = 1.5'), 'a - b = 1.5')
})

t.test('lines stay lines, and begin no list or heading', async (t) => {
  t.equal(commonMark.escape('a\n - b\n1. c\n\n   ==='), 'a  \n\\- b  \n1\\. c  \n\\===')
})

t.test('no URL ends its link early', async (t) => {
  t.equal(markdownLink('x', 'https://a.test/(b) <c>'), '[x](https://a.test/%28b%29%20%3Cc%3E)')
})

t.test(
  'where there is no escape, the full-width form takes the place of a character',
  async (t) => {
    t.equal(fullWidth('<@all> *a*', /[<>*]/g), '＜@all＞ ＊a＊')
  },
)
