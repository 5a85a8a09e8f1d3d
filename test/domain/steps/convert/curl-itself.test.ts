// What steps send is what curl itself sends, run by a shell: method, address, body and the headers that the command says.
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import t from 'tap'
import { rendered } from '../../../../src/domain/steps/template.ts'
import { stepsIn } from '../../../support/steps-conversion.ts'

interface SentRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const own = /^(?:host|user-agent|accept|content-length|connection|expect)$/

t.test('steps send what curl sends', async (t) => {
  const sent: SentRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      sent.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      response.end('{"token": "of-the-answer"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const commands = [
    `curl -sS '${at}/a?x=1#part' -H 'X-A: b' -H "X-Empty;" -A me -e http://r.example/`,
    `curl -s -d a=1 -d 'b=2 3' --data-urlencode 'c=ä&%' --data-urlencode =e ${at}/form`,
    `curl -s -G -d a=1 --data-urlencode "q=a b" "${at}/q?b=2"`,
    `curl -s --url-query 'z=1 2' "${at}/q?b=2"`,
    `curl -s --json '{"a": "b\\\\c"}' -X PUT ${at}/json -u "me:p w"`,
    `curl -s -d $'a\\tb\\x41\\u00e9\\'' "${at}/ansi" -b 'a=b; c=d' --oauth2-bearer abc`,
    `ID=7; curl -s "${at}/$ID/\${ID}x" -d "{\\"id\\": \\"$ID\\", 'q': \\$5}" -H 'Content-Type: text/plain'`,
    `curl -sd @- ${at}/here <<EOF\n{"a": 1}\nEOF\ncurl -s ${at}/behind --next -sIX OPTIONS ${at}/next`,
    `T=$(curl -s ${at}/token | jq -r .token)\ncurl -s -H "Authorization: Bearer $T" ${at}/me`,
    `curl -s http://me:p%40w@${at.slice(7)}/login -r 0-9 && true; curl -s -XDELETE ${at}/gone | cat`,
  ]
  for (const command of commands) {
    sent.length = 0
    await promisify(execFile)('bash', ['-c', command])
    const made = stepsIn(command)
    const values: Record<string, string> = { ...made.variables, T: 'of-the-answer' }
    const fill = (text: string) => rendered(text, ({ name }) => values[name] ?? '')
    const byUs = made.steps.map(({ method, url, headers, body }) => {
      const { pathname, search } = new URL(fill(url), made.url)
      const named = Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        fill(value),
      ])
      return {
        method,
        url: pathname + search,
        headers: Object.fromEntries(named),
        body: fill(body ?? ''),
      }
    })
    t.equal(byUs.length, sent.length, command)
    for (const [index, theirs] of sent.entries()) {
      const ours = byUs[index]
      t.match(ours, { method: theirs.method, url: theirs.url, body: theirs.body }, command)
      const said = Object.entries(theirs.headers).filter(([name]) => !own.test(name))
      t.match(ours?.headers, Object.fromEntries(said), command)
    }
  }
})
