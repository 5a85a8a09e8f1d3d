// Twilio as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { twilio } from '../../../src/channels/push/twilio.ts'
import { createSender } from '../../../src/channels/sender.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const errorOf = (code: number, status: number, message: string) =>
  JSON.stringify({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })

channelContract({
  definition: twilio,
  accepts: { status: 201, body: '{"sid": "SMaaaa", "status": "queued", "error_code": null}' },
  answers: [
    {
      answer: { status: 400, body: errorOf(21211, 400, "The 'To' number +1555 is not valid.") },
      means: {
        mayRetry: false,
        disablesChannel: undefined,
        reason: "Twilio refused the message (21211: The 'To' number +1555 is not valid).",
      },
    },
    {
      answer: {
        status: 400,
        body: errorOf(21610, 400, 'Attempt to send to unsubscribed recipient'),
      },
      means: { mayRetry: false },
    },
    {
      answer: { status: 400, body: errorOf(21614, 400, "'To' number is not a mobile number") },
      means: { mayRetry: false },
    },
    {
      answer: { status: 400, body: errorOf(21608, 400, 'The number is unverified') },
      means: { mayRetry: true },
    },
    {
      answer: { status: 401, body: errorOf(20003, 401, 'Authenticate') },
      means: { mayRetry: true, reason: 'Twilio refused the message (20003: Authenticate).' },
    },
    {
      answer: { status: 429, body: errorOf(20429, 429, 'Too Many Requests') },
      means: { mayRetry: true },
    },
    { answer: { status: 200, body: '<html>' }, means: { ok: false, mayRetry: true } },
    { answer: { status: 400, body: 'no' }, means: { mayRetry: false, reason: /\(400\)/ } },
  ],
  fits(t, { body }) {
    const text = new URLSearchParams(body).get('Body') ?? ''
    t.ok(text.length > 0 && text.length <= 640, `${text.length} characters`)
    t.notMatch(text, /[\u202f\u00a0…]/)
  },
})

const to = ['+15550000001', '+15550000002', '+15550000003']

t.test('each recipient is a part: those that got their SMS get no second one', async (t) => {
  const called: string[] = []
  const answers = new Map([[to[1], 400]])
  const send = createSender({
    sign: () => '',
    async request({ body }) {
      const recipient = new URLSearchParams(body).get('To') ?? ''
      called.push(recipient)
      const status = answers.get(recipient) ?? 201
      const code = status === 400 ? 21211 : 0
      return { kind: 'answered', status, headers: {}, body: errorOf(code, status, 'words') }
    },
  })
  const payload = samplePayloads.opened as NonNullable<typeof samplePayloads.opened>
  const channel = {
    channel: makeChannel({ type: 'twilio', config: {} }),
    config: { ...twilio.example, to },
  }
  const clock = new FakeClock(0)
  answers.set(to[2] as string, 503)
  const first = await send(messageFrom(payload), channel, { clock })
  t.same(called, to)
  t.match(first, {
    ok: false,
    mayRetry: true,
    partsDone: [{ isDelivered: true }, { isDelivered: false }],
  })
  if (first.ok || !first.partsDone) throw new Error('parts are over')
  answers.clear()
  called.length = 0
  const { partsDone } = first
  const second = await send(messageFrom(payload), channel, { clock, partsDone })
  t.same(called, [to[2]])
  t.match(second, { ok: true })

  called.length = 0
  const fewer = { ...channel, config: { ...channel.config, to: to.slice(1) } }
  t.match(await send(messageFrom(payload), fewer, { clock, partsDone }), { ok: true })
  t.same(called, [to[2]], 'the others keep their parts when a recipient is removed meanwhile')
})

t.test('a config needs a sender, and recipients that are different', async (t) => {
  const { from: _, ...rest } = twilio.example
  t.match(twilio.problems?.(rest), [{ pointer: '/from' }])
  t.match(twilio.problems?.({ ...twilio.example, to: [] }), [{ keyword: 'minItems' }])
  t.match(twilio.problems?.({ ...twilio.example, to: [to[0], to[0]] }), [{ pointer: '/to' }])
  t.same(twilio.problems?.({ ...rest, messagingServiceSid: 'MG1' }), [])
})
