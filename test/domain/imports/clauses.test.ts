// Conditions as clauses: what they demand of an answer is the same as what they say.
import fc from 'fast-check'
import t from 'tap'
import {
  always,
  both,
  type Clauses,
  demandedBy,
  either,
  never,
  part,
  statusesWhere,
  TooManyClauses,
} from '../../../src/domain/imports/clauses.ts'

const a = part('a', 'a', 'not a', { is: 'a' })
const notA = part('not a', 'not a', 'a', { is: 'not a' })
const b = part('b', 'b', 'not b', { is: 'b' })
const ok = statusesWhere((status) => status === 200)
const none = { assertions: [], others: [], isImpossible: false }

t.test('what must hold is demanded, and alternatives are said in words', (t) => {
  t.same(demandedBy(always), none)
  t.same(demandedBy(never), { ...none, isImpossible: true, statuses: [] })
  t.same(demandedBy(both(a, b)), { ...none, assertions: [{ is: 'a' }, { is: 'b' }] })
  t.same(demandedBy(either(a, b)), { ...none, others: [['a', 'b']] })
  t.same(demandedBy(either(a, notA)), none)
  t.same(demandedBy(either(ok, a)), { ...none, others: [['status 200', 'a']] })
  t.same(demandedBy(both(a, either(a, b))), { ...none, assertions: [{ is: 'a' }] })
  const ranges = statusesWhere((status) => status < 300 || status === 404)
  t.same(demandedBy(ranges), { ...none, statuses: ['100-299', '404'] })
  t.match(
    demandedBy(
      both(
        ok,
        statusesWhere((status) => status > 400),
      ),
    ),
    { isImpossible: true },
  )
  t.end()
})

t.test('more conditions than anybody writes are not followed', (t) => {
  const many = Array.from({ length: 30 }, (_, at) => part(`${at}`, `${at}`, `not ${at}`, {}))
  const other = Array.from({ length: 30 }, (_, at) => part(`x${at}`, `x${at}`, `not x${at}`, {}))
  t.throws(() => either(many.reduce(both, always), other.reduce(both, always)), TooManyClauses)
  t.end()
})

/** An answer: its status, and what holds of it. */
interface Answer {
  readonly status: number
  readonly facts: readonly boolean[]
}

type Said = { readonly clauses: Clauses; holds(answer: Answer): boolean }

const said = fc.letrec<{ said: Said }>((tie) => ({
  said: fc.oneof(
    { maxDepth: 4 },
    fc.record({ fact: fc.nat(2), is: fc.boolean() }).map(({ fact, is }): Said => {
      const [key, contrary] = is ? [`${fact}`, `!${fact}`] : [`!${fact}`, `${fact}`]
      return {
        clauses: part(key, key, contrary, { fact, is }),
        holds: ({ facts }) => facts[fact] === is,
      }
    }),
    fc.integer({ min: 199, max: 202 }).map((least): Said => {
      return {
        clauses: statusesWhere((status) => status >= least),
        holds: ({ status }) => status >= least,
      }
    }),
    fc
      .record({ one: tie('said'), other: tie('said'), isBoth: fc.boolean() })
      .map(({ one, other, isBoth }): Said => {
        const join = isBoth ? both : either
        return {
          clauses: join(one.clauses, other.clauses),
          holds: (answer) =>
            isBoth
              ? one.holds(answer) && other.holds(answer)
              : one.holds(answer) || other.holds(answer),
        }
      }),
  ),
})).said

t.test('an answer meets what is demanded if it meets what is said', (t) => {
  const answers = [198, 199, 200, 201, 202].flatMap((status) =>
    Array.from({ length: 8 }, (_, bits) => {
      return { status, facts: [0, 1, 2].map((at) => (bits & (1 << at)) !== 0) }
    }),
  )
  fc.assert(
    fc.property(said, ({ clauses, holds }) => {
      const { statuses, assertions, others, isImpossible } = demandedBy(clauses)
      if (others.length > 0) return
      for (const answer of answers) {
        const isStatusGood = (statuses ?? ['100-599']).some((range) => {
          const [low = '', high = low] = range.split('-')
          return answer.status >= Number(low) && answer.status <= Number(high)
        })
        const isMet = (assertions as readonly { fact: number; is: boolean }[]).every(
          ({ fact, is }) => answer.facts[fact] === is,
        )
        if ((!isImpossible && isStatusGood && isMet) !== holds(answer)) {
          throw new Error(JSON.stringify({ answer, statuses, assertions, isImpossible }))
        }
      }
    }),
  )
  t.end()
})
