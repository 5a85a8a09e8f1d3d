// Microsoft Teams as it is called: requests compared with golden files, its limits, its answers.
import { teams } from '../../../src/channels/chat/teams.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

const error = (code: string) =>
  JSON.stringify({ error: { code, message: `The workflow is not what it was: ${code}.` } })

channelContract({
  definition: teams,
  accepts: { status: 202 },
  answers: [
    { answer: { status: 200 }, means: { ok: true } },
    {
      answer: { status: 400, body: error('WorkflowTriggerIsNotEnabled') },
      means: {
        mayRetry: true,
        reason: 'Microsoft Teams refused the message (400: WorkflowTriggerIsNotEnabled).',
      },
    },
    { answer: { status: 404, body: error('WorkflowNotFound') }, means: { mayRetry: true } },
    { answer: { status: 401, body: error('AuthorizationFailed') }, means: { mayRetry: true } },
    {
      answer: { status: 400, body: error('TriggerInputSchemaMismatch') },
      means: { mayRetry: false, disablesChannel: undefined },
    },
    { answer: { status: 413 }, means: { mayRetry: false } },
  ],
  fits(t, { body }) {
    t.ok(Buffer.byteLength(body) <= 28_000, `${Buffer.byteLength(body)} bytes`)
    const { content } = JSON.parse(body).attachments[0]
    t.equal(content.type, 'AdaptiveCard')
    t.ok(content.actions.length <= 6)
    // Text of strangers is only where no Markdown is read.
    for (const block of content.body) t.match(block.type, /^(Container|RichTextBlock)$/)
  },
})
