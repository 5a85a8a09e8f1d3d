// Files of other products that are sent to be converted: what is in them stops nobody.
import t from 'tap'
import { mintKey, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { hostileFiles } from '../../../support/hostile-files.ts'
import { watchTurns } from '../../../support/turns.ts'

const turnMsMax = 100

t.test(
  'a hostile file is refused by its bound or costs little, and the daemon answers others meanwhile',
  async (t) => {
    const daemon = await startDaemon(t)
    const alice = await register(daemon, 'alice')
    const key = await mintKey(daemon, alice)
    const convert = (json: object) =>
      daemon.ask('POST', `/api/v1${alice.org}/import/convert`, { key, json })
    for (const { name, product, text, told } of hostileFiles) {
      const longestMs = watchTurns()
      const { status, json } = await convert({ product, text })
      const turnMs = longestMs()
      const wanted = told === null ? { status: 200 } : { status: 422, detail: told }
      t.match({ status, detail: json.detail }, wanted, name)
      t.ok(turnMs < turnMsMax, `${name}: at most ${turnMs.toFixed(1)} ms at a time`)
    }
    const endpoint = { schedule: '* * * * *', name: 'job' }
    const text = JSON.stringify({ checks: [endpoint] })
    const { status, json } = await convert({ product: 'healthchecks', text })
    t.match(
      { status, monitors: json.data?.document.monitors },
      { status: 200, monitors: [{ name: 'job' }] },
    )
  },
)
