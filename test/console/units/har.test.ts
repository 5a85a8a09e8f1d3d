// The requests of a page as HAR, as tools of browsers read it.
import t from 'tap'
import { harOf } from '../../../src/console/pages/monitors/evidence/har.ts'

t.test('requests of a page become entries of a HAR', async (t) => {
  const request = {
    ...{ method: 'GET', url: 'https://a.test/p?q=1', type: 'Document', startMs: 0 },
    ...{ durationMs: 12, status: 200, bytes: 42, error: null },
  }
  const broken = {
    ...request,
    startMs: 30,
    durationMs: null,
    status: null,
    bytes: null,
    error: 'E',
  }
  const { log } = JSON.parse(harOf([request, broken], '2026-11-30T10:00:00.000Z'))
  t.equal(log.version, '1.2')
  t.match(log.entries, [
    {
      startedDateTime: '2026-11-30T10:00:00.000Z',
      time: 12,
      request: { method: 'GET', queryString: [{ name: 'q', value: '1' }] },
      response: { status: 200, content: { size: 42 } },
      timings: { wait: 12 },
      _resourceType: 'document',
    },
    { startedDateTime: '2026-11-30T10:00:00.030Z', time: 0, response: { status: 0, _error: 'E' } },
  ])
})
