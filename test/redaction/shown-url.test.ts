// URLs as they are told: what opens a door is masked, the rest is as it was.
import t from 'tap'
import { shownUrl } from '../../src/redaction/shown-url.ts'

t.test('credentials are masked, and the rest stays', async (t) => {
  const rows: Record<string, string> = {
    'https://a.example/path?page=2&q=x%20y': 'https://a.example/path?page=2&q=x%20y',
    'https://a.example/?token=x&page=2': 'https://a.example/?token=••••&page=2',
    'https://a.example/?to%6ben=x': 'https://a.example/?to%6ben=••••',
    'https://a.example/?X-Amz-Signature=1&b': 'https://a.example/?X-Amz-Signature=••••&b',
    'https://a.example/?state=0123456789abcdef0123': 'https://a.example/?state=••••',
    'https://a.example/?0123456789abcdef0123': 'https://a.example/?••••',
    'https://a.example/?next=%2Fin%3Ftoken%3Dx': 'https://a.example/?next=••••',
    'https://a.example/in/0123456789abcdef0123/x': 'https://a.example/in/••••/x',
    'https://a.example/x;jsessionid=1?y=2': 'https://a.example/x;jsessionid=••••?y=2',
    'https://a.example/#access_token=x': 'https://a.example/',
    'https://me:pw@a.example/': 'https://••••@a.example/',
    'http://[2001:db8::ffff:7f00:1]:8080/': 'http://[2001:db8::ffff:7f00:1]:8080/',
    '//me@a.example/': '//••••@a.example/',
    '/x?password=y': '/x?password=••••',
    'http://': 'http://',
    '': '',
  }
  for (const [url, shown] of Object.entries(rows)) t.equal(shownUrl(url), shown, url)
})
