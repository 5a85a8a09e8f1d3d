// What viewers see of the address of a monitor.
import t from 'tap'
import { urlForViewers } from '../../src/probes/viewer-url.ts'

const shown = (url: string | null, checkType: Parameters<typeof urlForViewers>[0]['checkType']) =>
  urlForViewers({ url, checkType })

t.test('the values of a query are masked, and the way to the server stays', async (t) => {
  const cases = {
    'https://a.test/b/c?token=x&page=2': 'https://a.test/b/c?token=••••&page=••••',
    'https://a.test/?x': 'https://a.test/?••••',
    'https://a.test/?a=1;b=2&c=&&d==3': 'https://a.test/?a=••••;b=••••&c=&&d=••••',
    'https://a.test?next=https://b.test/?t=1#k=v': 'https://a.test?next=••••#••••',
    'https://user:pass@a.test/x': 'https://••••@a.test/x',
    'https://a.test/x?a=1\n&b=2': 'https://a.test/x?a=••••&b=••••',
    'https://a.test/mail@b': 'https://a.test/mail@b',
    'https://a.test/x?': 'https://a.test/x?',
    'https://a.test': 'https://a.test',
  }
  for (const [url, expected] of Object.entries(cases)) {
    t.equal(shown(url, 'endpoint'), expected)
    t.equal(shown(url.replace('https', 'wss'), 'websocket'), expected.replace('https', 'wss'))
  }
  t.equal(shown(null, 'push'), null)
})

t.test('a query that says how to check is shown', async (t) => {
  const dns = 'dns://a.test?type=MX&server=9.9.9.9'
  t.equal(shown(dns, 'dns'), dns)
  t.equal(shown('smtp://a.test?starttls=required', 'smtp'), 'smtp://a.test?starttls=required')
})
