// How many messages may be under way at once.
import t from 'tap'
import { createSlots } from '../../../src/actors/queue/slots.ts'

const never = new AbortController().signal

t.test('a job without a free slot waits for the next one, in order', async (t) => {
  const slots = createSlots(2)
  const entered: string[] = []
  const take = (name: string) => slots.take(never).then(() => entered.push(name))
  await Promise.all([take('a'), take('b')])
  const waiting = [take('c'), take('d')]
  await Promise.resolve()
  t.same(entered, ['a', 'b'])
  slots.free()
  await waiting[0]
  t.same(entered, ['a', 'b', 'c'])
  slots.free()
  await waiting[1]
  t.same(entered, ['a', 'b', 'c', 'd'])
})

t.test('a job that gives up waiting does not take a slot', async (t) => {
  const slots = createSlots(1)
  await slots.take(never)
  const abort = new AbortController()
  const given = slots.take(abort.signal)
  abort.abort(new Error('stopped'))
  await t.rejects(given, { message: 'stopped' })
  slots.free()
  await slots.take(never)
  t.pass('the slot is there for the next')
})
