// The API of the settings of the service, for its administrator: set in the console what no file sets.
import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { type OfferedSetting, offeredSettings } from '../../../config/settings.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { bucketTrialSteps } from '../../../services/backups/bucket-trial.ts'
import { bucketSettings, settingSources } from '../../../services/system/system-settings.ts'
import { answer, get, patch, post, resource } from '../../routing/route.ts'

const who = { system: true } as const
const sudo = { system: true, sudo: true } as const

const sectionsMax = 100
const settingsMax = 1_000

const SettingOut = s.object({
  path: s.described(s.anyText, 'Its section and name, such as mail.smtpUrl'),
  name: s.anyText,
  doc: s.described(s.anyText, 'What it does'),
  allowed: s.described(s.anyText, 'The values that it may have'),
  form: s.object({
    type: s.oneOf(['text', 'flag', 'number', 'choice', 'list', 'providers']),
    choices: s.described(s.listOf(s.anyText, sectionsMax), 'Of a choice'),
    minimum: s.nullable(s.anyNumber),
    maximum: s.nullable(s.anyNumber),
  }),
  value: s.described(
    s.anything,
    'What is set, or else the default; null if there is none. Secrets are masked',
  ),
  default: s.described(s.anything, 'Null: none, or it depends; defaultDoc says on what'),
  defaultDoc: s.nullable(s.anyText),
  example: s.described(s.anything, 'A value, where there is no default to show'),
  source: s.described(
    s.oneOf(settingSources),
    'Where the value comes from. What the environment or the file sets, is changed there only',
  ),
  setIn: s.nullable(Type.String(), 'The variable or the file that sets it'),
  isStored: s.described(
    s.flag,
    'Whether the console has a value for it. It does not hold while the environment or the file sets another',
  ),
  isSecret: s.flag,
  isLive: s.described(s.flag, 'Whether a change takes effect at once; else after a restart'),
})

const SettingsOut = s.revised({
  sections: s.listOf(
    s.object({ name: s.anyText, settings: s.listOf(SettingOut, settingsMax) }),
    sectionsMax,
  ),
  waiting: s.described(
    s.listOf(s.anyText, settingsMax),
    'The settings whose change takes effect after a restart',
  ),
})

const changeOf = ({ setting: { doc, kind } }: OfferedSetting) =>
  s.optional(s.anything, `${doc} Allowed: ${kind.allowed}.`)

const sectionNames = [...new Set(offeredSettings.map(({ section }) => section))]

const SettingChanges = s.object(
  Object.fromEntries(
    sectionNames.map((section) => [
      section,
      s.optional(
        s.object(
          Object.fromEntries(
            offeredSettings
              .filter((one) => one.section === section)
              .map((one) => [one.name, changeOf(one)]),
          ),
        ),
        `The settings ${section}.* to change.`,
      ),
    ]),
  ),
)

const isOneOf = (names: readonly string[], name: string) => names.includes(name)

const smtpUrlCharsMax = 2_000

const TestLetterIn = s.object({
  smtpUrl: s.optional(
    s.text({ charsMin: 1, charsMax: smtpUrlCharsMax }),
    'As in mail.smtpUrl. As it is shown, with its mask, it stands for the one that is set.',
  ),
  from: s.optional(s.text({ charsMin: 1, charsMax: limits.emailCharsMax }), 'As in mail.from.'),
})

const TestLetterOut = s.object({
  isDelivered: s.described(s.flag, 'Whether the mail server took the letter'),
  to: s.described(s.anyText, 'The address of the administrator'),
  reply: s.nullable(Type.String(), 'What the mail server said last, as it said it'),
  error: s.nullable(Type.String(), 'Why it was not sent'),
  durationMs: Type.Integer(),
})

const AddressesIn = s.object({
  baseUrl: s.optional(s.text({ charsMin: 1, charsMax: limits.urlCharsMax }), 'As in http.baseUrl.'),
  statusDomain: s.optional(
    s.text({ charsMin: 1, charsMax: limits.urlCharsMax }),
    'As in http.statusDomain.',
  ),
})

const addressesMax = 100

const AddressOut = s.object({
  host: s.described(s.anyText, 'Of a domain for status pages: some host below it'),
  addresses: s.described(s.listOf(s.anyText, addressesMax), 'What its name resolves to here'),
  leadsHere: s.described(s.flag, 'Whether this service answers there'),
  reason: s.nullable(Type.String(), 'Why it does not, or not as seen from here'),
})

const AddressesOut = s.object({
  baseUrl: AddressOut,
  statusDomain: s.described(s.nullable(AddressOut), 'Null without a domain for status pages'),
})

const BucketIn = s.object(
  Object.fromEntries(
    offeredSettings
      .filter(({ section, name }) => section === 'backup' && isOneOf(bucketSettings, name))
      .map((one) => [one.name, changeOf(one)]),
  ),
)

const BucketOut = s.object({
  isUsable: s.described(s.flag, 'Whether each step worked'),
  steps: s.described(
    s.listOf(
      s.object({
        step: s.oneOf(bucketTrialSteps),
        error: s.nullable(Type.String(), 'What the server answered; null if the step worked'),
      }),
      bucketTrialSteps.length,
    ),
    'What was done, up to the first step that failed',
  ),
  durationMs: Type.Integer(),
})

export const settings = resource('/system/settings', {
  about: 'The settings of the service that its administrator may change without a file.',
  get: get('', {
    who,
    summary: 'The settings by section: values, defaults, and where each is set',
    description:
      'A setting of the environment or of the file wins over one that was stored here, and that over ' +
      'the default. What is needed before the data is open, and files of the machine, are in the file ' +
      'alone.',
    out: SettingsOut,
  }).handledBy((_call, { systemSettings }) => systemSettings.get()),
  change: patch('', {
    who: sudo,
    summary: 'Change settings; null takes the stored value away',
    description:
      'A merge patch by section and name. The values are stored encrypted. A secret that comes back ' +
      'as it was shown is kept.',
    example: {
      mail: { smtpUrl: 'smtps://user:password@mail.example.com:465', from: 'up@example.com' },
    },
    body: SettingChanges,
    out: SettingsOut,
    message: 'Settings changed',
  }).handledBy(({ caller, body, expectedRevision }, { systemSettings }) =>
    systemSettings.change(caller, body, expectedRevision),
  ),
  checkAddresses: post('/address-check', {
    who: sudo,
    summary: 'Whether addresses that need not be stored lead to this service',
    description:
      'Resolves the names, and calls them as seen from this machine. What is left out has its present ' +
      'value. Nothing is stored.',
    example: { baseUrl: 'https://up.example.com', statusDomain: 'status.example.net' },
    body: AddressesIn,
    out: AddressesOut,
    message: 'Addresses checked',
  }).handledBy(({ caller, body, signal }, { systemSettings }) =>
    systemSettings.checkAddresses(caller, body, signal),
  ),
  tryBucket: post('/bucket-test', {
    who: sudo,
    summary: 'Write, read and delete a small object in a bucket that need not be stored',
    description:
      'What is left out has its present value, and null stands for the default. A secret that comes ' +
      'back as it was shown is the stored one. Nothing is stored.',
    example: {
      bucketUrl: 'https://s3.eu-central-1.amazonaws.com',
      bucketName: 'stillup-backups',
      bucketRegion: 'eu-central-1',
      bucketAccessKey: 'AKIAIOSFODNN7EXAMPLE',
      bucketSecretKey: 'a-long-random-text',
    },
    body: BucketIn,
    out: BucketOut,
  }).handledBy(async ({ caller, body, signal }, { systemSettings }) => {
    const tried = await systemSettings.tryBucket(caller, body, signal)
    return answer(tried, {
      message: tried.isUsable ? 'The bucket works' : 'The bucket does not work',
    })
  }),
  sendTestLetter: post('/test-letter', {
    who: sudo,
    summary: 'Send a letter to yourself through a mail server that need not be stored',
    description: 'What is left out has its present value. Nothing is stored.',
    example: { smtpUrl: 'smtps://user:password@mail.example.com:465', from: 'up@example.com' },
    body: TestLetterIn,
    out: TestLetterOut,
    problems: [409],
  }).handledBy(async ({ caller, body, signal }, { systemSettings }) => {
    const tried = await systemSettings.sendTestLetter(caller, body, signal)
    return answer(tried, { message: tried.isDelivered ? 'Letter sent' : 'Letter not sent' })
  }),
})
