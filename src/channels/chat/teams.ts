// Microsoft Teams: an Adaptive Card to the webhook of a workflow ("When a Teams webhook request is
// received"), which took the place of the connectors of Microsoft 365.
//
// The request: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
// The limit of about 28 KB for what a workflow posts: https://learn.microsoft.com/connectors/teams/
// Cards: https://adaptivecards.io/explorer/ (a TextRun knows no Markdown, so it needs no escape)
//
// The answer comes before the workflow posts the card: 202 says that it was started. Codes of
// errors are those of Azure Logic Apps; people report WorkflowTriggerIsNotEnabled for a workflow
// that is switched off, and TriggerInputSchemaMismatch for a body that it was told not to take.
import { object } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import type { Locale } from '../../domain/language.ts'
import { marksOf } from '../../texts/marks.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { hookUrl } from '../model/hook.ts'
import { fieldsOf, jsonFields, jsonPost, quotedOutcome } from '../model/json-api.ts'
import type { Fact, Link, Message, Tone } from '../model/message.ts'
import { factText, longestForm, plainStyle } from '../model/text.ts'

/** The limit leaves room for what Teams makes of a card; some saw 21 KB refused. */
const cardBytesMax = 20_000

const webhookUrl =
  'https://default0a1b2c.3d.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/0123456789abcdef/triggers/manual/paths/invoke?api-version=1&sig=the-signature'

export const teams = defineChannel({
  type: 'teams',
  title: 'Microsoft Teams',
  guide:
    'https://support.microsoft.com/office/create-incoming-webhooks-with-workflows-for-microsoft-teams-8ae491c7-0394-4861-ba59-055e33f75498',
  example: { webhookUrl },
  config: object({ webhookUrl: hookUrl('a workflow of Microsoft Teams', webhookUrl) }),
  secrets: ['webhookUrl'],
  urls: ['webhookUrl'],

  render: (message, { webhookUrl }) =>
    longestForm(
      message,
      (form) => jsonPost(webhookUrl, cardMessage(form)),
      ({ body }) => Buffer.byteLength(body) <= cardBytesMax,
    ),

  outcome: outcomeOf,
})

const styles: Readonly<Record<Tone, string>> = {
  bad: 'attention',
  warning: 'warning',
  good: 'good',
  neutral: 'accent',
}

function cardMessage({ title, facts, links, tone, locale }: Message): object {
  const heading = { type: 'TextRun', text: title, weight: 'Bolder', size: 'Large' }
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: title,
    msteams: { width: 'Full' },
    body: [
      { type: 'Container', style: styles[tone], bleed: true, items: [line([heading])] },
      ...facts.flatMap((fact) => factLines(fact, locale)),
    ],
    actions: links.map(action),
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

/** A block for each line of the value, because not every client shows line breaks in a block. */
function factLines({ label, value, url }: Fact, locale: Locale): object[] {
  const lines = factText(value, plainStyle, locale).split('\n')
  const name = {
    type: 'TextRun',
    text: label + marksOf(locale.language).colon,
    weight: 'Bolder',
    ...(url === undefined ? {} : { selectAction: { type: 'Action.OpenUrl', url } }),
  }
  return lines
    .map((text) => ({ type: 'TextRun', text }))
    .map((run, at) => line(at === 0 ? [name, run] : [run]))
}

function line(inlines: readonly object[]): object {
  return { type: 'RichTextBlock', spacing: 'Small', inlines }
}

function action({ label, url }: Link): object {
  return { type: 'Action.OpenUrl', title: label, url }
}

const refusals = new Set<unknown>(['InvalidRequestContent', 'TriggerInputSchemaMismatch'])

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status, body } = answer
  const { code } = fieldsOf(jsonFields(body).error)
  const isRefused = status === 413 || refusals.has(code)
  return quotedOutcome(answer, nowMs, {
    platform: 'Microsoft Teams',
    words: code,
    mayRetry: !isRefused,
  })
}
