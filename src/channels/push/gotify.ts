// Gotify: a notification to the users of a server of one's own.
//
// POST /message, its fields and errors: https://gotify.net/api-docs (docs/spec.json of gotify/server)
// Extras for Markdown and for the URL of a tap: https://gotify.net/docs/msgextras
// What a priority does: https://github.com/gotify/android#message-priorities
import { clip } from '../../base/clip.ts'
import { described, integer, object, optional } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { urlText } from '../model/hook.ts'
import { below, failure, jsonFields, jsonPost } from '../model/json-api.ts'
import { commonMark, hardBreak } from '../model/markdown.ts'
import type { Message, Tone } from '../model/message.ts'
import { httpOutcome } from '../model/outcome.ts'
import { textOf } from '../model/text.ts'
import { tokenText } from '../model/token.ts'

// Gotify documents no limits: these keep a notification readable.
const titleCharsMax = 250
const messageCharsMax = 6_000

/** The phone makes a sound and shows a banner from 8 on, and is silent below 4. */
const priorities: Readonly<Record<Tone, number>> = { bad: 8, warning: 6, neutral: 5, good: 3 }

export const gotify = defineChannel({
  type: 'gotify',
  title: 'Gotify',
  guide: 'https://gotify.net/docs/pushmsg',
  example: { server: 'https://push.example.com', token: 'AKsjdlfjs2lkfj3' },
  config: object({
    server: urlText(
      'the URL of the server, with its path if it has one',
      'https://push.example.com',
    ),
    token: tokenText({
      description: 'the token of an application, not of a client',
      example: 'AKsjdlfjs2lkfj3',
    }),
    outagePriority: optional(
      described(
        integer(0, 10),
        'the priority of an outage; 8 where absent; below 4, it is silent',
        8,
      ),
    ),
  }),
  secrets: ['token'],
  urls: ['server'],

  render: (message, { server, token, outagePriority = priorities.bad }) =>
    jsonPost(below(server, 'message'), notification(message, outagePriority), {
      'x-gotify-key': token,
    }),

  outcome: outcomeOf,
})

function notification(message: Message, outagePriority: number) {
  const { tone } = message
  const [first] = message.links
  return {
    title: clip(message.title, titleCharsMax),
    message: textOf(message, commonMark, {
      sizeMax: messageCharsMax,
      isUntitled: true,
      lineBreak: hardBreak,
    }),
    priority: tone === 'bad' ? outagePriority : priorities[tone],
    extras: {
      'client::display': { contentType: 'text/markdown' },
      ...(first ? { 'client::notification': { click: { url: first.url } } } : {}),
    },
  }
}

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status } = answer
  if (status < 400 || status === 429 || status >= 500) return httpOutcome(answer, nowMs)
  const { errorCode: code, errorDescription: words } = jsonFields(answer.body)
  const isRepairable = [401, 403, 404].includes(status)
  return failure(answer, { platform: 'Gotify', code, words, mayRetry: isRepairable })
}
