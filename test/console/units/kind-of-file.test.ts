// Which product wrote a file.
import t from 'tap'
import { isKumaData, kindOfFile } from '../../../src/console/pages/moving/kind-of-file.ts'

t.test('a file tells by its content who wrote it', async (t) => {
  t.equal(kindOfFile('{"format":"stillup/1"}'), 'stillup')
  t.equal(kindOfFile('{"monitorList":[]}'), 'kuma')
  t.equal(kindOfFile('[{"id":1}]'), 'kuma')
  t.equal(kindOfFile('{"data":[{"monitorType":"API"}]}{"data":[]}'), 'oneuptime')
  t.equal(kindOfFile('{"checks":[]}'), 'healthchecks')
  t.equal(kindOfFile('{"endpoints":[]}'), 'gatus')
  t.equal(kindOfFile('endpoints:\n  - name: a\n'), 'gatus')
  t.equal(kindOfFile('{"stat":"ok","monitors":[{"friendly_name":"a"}]}'), 'uptimerobot')
  t.equal(kindOfFile('{"checks":[{"lasttesttime":1}]}'), 'pingdom')
  t.equal(kindOfFile('{"statusPages":[{"page":{"allow_page_subscribers":true}}]}'), 'statuspage')
  t.equal(kindOfFile('global: {}\nscrape_configs:\n'), 'blackbox')
  t.equal(kindOfFile('[{"checkType":"API","alertSettings":{}}]'), 'checkly')
  t.equal(kindOfFile('{"data":[{"friendlyName":"a"}]}'), 'uptimerobot')
  t.equal(kindOfFile('Type,Friendly Name,URL/IP\nPing,a,b'), 'csv')
  t.equal(kindOfFile('null'), 'stillup')
})

t.test('data of Uptime Kuma is known by its first bytes', async (t) => {
  const head = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
  for (const [text, isData] of [
    ['SQLite format 3\0', true],
    ['\x1f\x8b\x08', true],
    ['PK\x03\x04', true],
    ['-- MariaDB dump 10.19', true],
    ['/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19', true],
    ['{"monitorList": []}', false],
    ['name,url\nShop,https://shop.example.org', false],
    ['', false],
  ] as const) {
    t.equal(isKumaData(head(text)), isData, text)
  }
})
