// Texts that become steps over the API: a monitor takes the answer as it is, and a hostile text stops nobody.
import t from 'tap'
import { stepsTextCharsMax } from '../../../../src/domain/steps/convert/convert-to-steps.ts'
import { mintKey, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { amount } from '../../../support/depth.ts'
import { watchTurns } from '../../../support/turns.ts'

const turnMsMax = 100

t.test('a pasted command becomes the steps of a monitor', async (t) => {
  const daemon = await startDaemon(t)
  const alice = await register(daemon, 'alice')
  const key = await mintKey(daemon, alice)
  const ask = (path: string, json: object) =>
    daemon.ask('POST', `/api/v1${alice.org}/monitors${path}`, { key, json })

  const text = "curl https://example.com/login -H 'X-Token: 12345' -d 'user=me&password=p%26w'"
  const converted = await ask('/steps/convert', { text })
  t.equal(converted.status, 200)
  const { format, notes, ...monitor } = converted.json.data
  t.equal(format, 'curl')
  t.same(notes, [])
  t.same(monitor.variables, { password: 'p&w', x_token: '12345' })
  const created = await ask('', { ...monitor, checkType: 'steps', isActive: false })
  t.match(created, {
    status: 200,
    json: {
      data: {
        steps: [
          {
            url: '/login',
            method: 'POST',
            body: 'user=me&password={{password|url}}',
            headers: { 'X-Token': '{{x_token}}' },
          },
        ],
      },
    },
  })
  t.notMatch(JSON.stringify(created.json), /p&w|12345/)

  const refused = await ask('/steps/convert', { text: 'wget https://example.com/' })
  t.match(refused, { status: 422, json: { detail: /text is no command of curl/ } })

  const pieces = ["'$('", '-d{{', ' curl a;', '"$(', '$(', "\\'", '^\n']
  for (const piece of pieces.slice(0, amount(1, pieces.length))) {
    const text = `curl ${piece.repeat(stepsTextCharsMax / piece.length - 5)}`
    const longestMs = watchTurns()
    const { status } = await ask('/steps/convert', { text })
    const turnMs = longestMs()
    t.ok([200, 422].includes(status), `${piece}: ${status}`)
    t.ok(turnMs < turnMsMax, `${piece}: at most ${turnMs.toFixed(1)} ms at a time`)
  }
})
