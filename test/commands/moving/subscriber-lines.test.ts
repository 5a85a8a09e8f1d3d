// What a terminal says of subscribers who come along.
import t from 'tap'
import { subscriberLines } from '../../../src/commands/moving/subscriber-lines.ts'

t.test(
  'the counts stand in one line, with the reasons below; of nobody nothing is said',
  async (t) => {
    t.same(subscriberLines(undefined, false), [])
    t.same(subscriberLines({ added: 0, known: 0, ended: 0, leftOut: 0 }, false), [])
    const problems = [{ pointer: '', message: 'It is forbidden here.\u001b[2J' }]
    const lines = subscriberLines({ added: 1, known: 2, ended: 3, leftOut: 4, problems }, true)
    t.same(
      lines[0],
      '1 subscriber would come along, confirmed; 2 subscribed already, 3 left here since they confirmed, and stay away, 4 left out.',
    )
    t.match(lines[1], /^ {2,}It is forbidden here\./)
    t.notMatch(lines[1], '\u001b')
  },
)
