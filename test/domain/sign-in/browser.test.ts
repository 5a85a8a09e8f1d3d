// Browsers in words: what people recognise, and never what a stranger wrote.
import t from 'tap'
import { browserInWords } from '../../../src/domain/sign-in/browser.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

t.test('a browser is named with its system', async (t) => {
  const known: Readonly<Record<string, string>> = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`]: 'Chrome on Windows',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/140.0.0.0`]: 'Edge on Windows',
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} OPR/120.0`]: 'Opera on macOS',
    [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${chrome}`]: 'Chrome on Android',
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`]: 'Chrome on ChromeOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/1 Safari/604.1':
      'Safari on iPhone',
    'curl/8.5.0': 'curl',
    'Firefox/1': 'Firefox',
  }
  for (const [agent, words] of Object.entries(known)) t.equal(browserInWords(agent, 'en'), words)
})

t.test('unknown browsers are not named', async (t) => {
  for (const agent of ['', 'tap', 'call 555-0100 now', '<b>x</b>', 'python-requests/2', '\0']) {
    t.equal(browserInWords(agent, 'en'), 'an unknown browser')
  }
})

t.test('a browser is said in the language of the reader', async (t) => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  t.equal(browserInWords(agent, 'fr'), 'Firefox sur Linux')
  t.equal(browserInWords(agent, 'ja'), 'Linux の Firefox')
  t.equal(browserInWords('curl/8.5.0', 'de'), 'curl')
  t.equal(browserInWords('', 'de'), 'unbekannter Browser')
})
