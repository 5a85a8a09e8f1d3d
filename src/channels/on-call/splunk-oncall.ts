// Splunk On-Call (formerly VictorOps): incidents by the REST endpoint integration.
//
// The endpoint and its URL:
// https://help.splunk.com/en/splunk-observability-cloud/splunk-on-call/integrations-with-splunk-on-call/rest-endpoint-integration-for-splunk-on-call
// Fields; state_message has at most 20,480 characters:
// https://help.victorops.com/knowledge-base/incident-fields-glossary/
// Annotations, at most 1,124 characters each:
// https://docs.splunk.com/observability/en/sp-oncall/alerts/rules-engine/rules-engine-annotations.html
//
// Unconfirmed: which statuses report a failure. The endpoint is known to answer 200 with
// {"result":"success"}, or "failure" and messages; both are judged by that word.
import { clip } from '../../base/clip.ts'
import type { FieldProblem } from '../../base/fault.ts'
import { object } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { urlText } from '../model/hook.ts'
import type { Message } from '../model/message.ts'
import { plainStyle, textOf } from '../model/text.ts'
import { alertActionOf, platformOutcome, type Urgency, urgencyOf } from './platform-alert.ts'

const stateMessageCharsMax = 20_480
const annotationCharsMax = 1_124
/** Our own bounds: the documentation has none for these. */
const entityIdCharsMax = 512
const displayNameCharsMax = 250

const exampleUrl =
  'https://alert.victorops.com/integrations/generic/20131114/alert/' +
  '0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f/database'

const openings: Readonly<Record<Urgency, string>> = {
  critical: 'CRITICAL',
  warning: 'WARNING',
  info: 'INFO',
}

export const splunkOncall = defineChannel({
  type: 'splunk-oncall',
  title: 'Splunk On-Call',
  guide:
    'https://help.splunk.com/en/splunk-observability-cloud/splunk-on-call/' +
    'integrations-with-splunk-on-call/rest-endpoint-integration-for-splunk-on-call',
  example: { url: exampleUrl },
  sendsEach: true,
  config: object({
    url: urlText(
      'the URL of the REST integration, with the routing key of the team in place of ' +
        "`$routing_key`; it is the channel's secret",
      exampleUrl,
    ),
  }),
  secrets: ['url'],
  urls: ['url'],
  problems: ({ url }) => urlProblems(url),

  render: (message, { url }) => ({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'stillup' },
    body: JSON.stringify({
      message_type: messageTypeOf(message),
      entity_id: clip(message.dedupKey, entityIdCharsMax),
      entity_display_name: clip(message.title, displayNameCharsMax),
      state_message: textOf(message, plainStyle, { sizeMax: stateMessageCharsMax }),
      state_start_time: Math.floor((message.startedAtMs ?? message.atMs) / 1_000),
      monitoring_tool: 'stillup',
      ...annotationsOf(message),
    }),
  }),

  outcome: outcomeOf,
})

/** News of an acknowledged incident acknowledges again, so that it rings for nobody. */
function messageTypeOf(message: Message): string {
  const action = alertActionOf(message)
  if (action === 'close') return 'RECOVERY'
  const isAcknowledged = message.state === 'acknowledged' && action === 'update'
  if (action === 'acknowledge' || isAcknowledged) return 'ACKNOWLEDGEMENT'
  return openings[urgencyOf(message)]
}

/** A link that is too long is left out: it is in the text, and cut it would lead nowhere. */
function annotationsOf({ links }: Message): Record<string, string> {
  const annotations: Record<string, string> = {}
  for (const { label, url } of links) {
    if (url.length > annotationCharsMax) continue
    const isTaken = `${prefix}${label}` in annotations
    annotations[prefix + (isTaken ? `${label} ${Object.keys(annotations).length}` : label)] = url
  }
  return annotations
}

/** Makes a field an annotation with a URL; its title follows. */
const prefix = 'vo_annotate.u.'

function urlProblems(url: string): FieldProblem[] {
  if (!/\$|%24/.test(url)) return []
  const message = 'must have the routing key of a team in place of $routing_key'
  return [{ pointer: '/url', keyword: 'placeholder', message }]
}

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const outcome = platformOutcome(answer, nowMs, { platform: 'Splunk On-Call', accepted: 200 })
  if (!outcome.ok || /"result"\s*:\s*"success"/.test(answer.body)) return outcome
  const { status, body: response } = answer
  const reason = /"result"\s*:\s*"failure"/.test(answer.body)
    ? 'Splunk On-Call reports a failure.'
    : 'The answer is not that of Splunk On-Call; is the URL right?'
  // What failed is unknown, so it may pass.
  return { ok: false, mayRetry: true, status, response, reason }
}
