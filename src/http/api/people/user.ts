// The API of the signed-in person: account, organizations, referrals, and deleting the account.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { User } from '../../../domain/people/person.ts'
import type { ReferralOverview } from '../../../services/people/referrals.ts'
import {
  OrganizationOut,
  organizationToWire,
  PreferencesOut,
  UserOut,
  userToWire,
} from '../../output/account-wire.ts'
import { sessionCookie } from '../../pipeline/session-cookie.ts'
import { documented } from '../../routing/documented.ts'
import { answer, del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'

const ProfileIn = s.object({
  name: s.optional(s.text({ charsMax: limits.nameCharsMax }), 'Your name.'),
  email: s.text({
    charsMax: limits.emailCharsMax,
    format: 'email',
    description: 'Takes effect once both addresses have agreed; requires a recent sign-in',
  }),
})

const ProfileOut = s.revised({
  ...UserOut.properties,
  wantedEmail: s.nullable(
    s.text({
      charsMax: limits.emailCharsMax,
      description: 'The requested new address, not yet confirmed',
    }),
  ),
})

const profileToWire = (user: User) => ({
  ...userToWire(user),
  wantedEmail: user.wantedEmail?.email ?? null,
})

const codeFields = {
  code: s.anyText,
  url: s.text({
    charsMax: limits.urlCharsMax,
    description: 'The base address with the code in ref',
  }),
}
const CodeOut = s.object(codeFields)
const ReferralsOut = s.object({
  ...codeFields,
  counts: s.object({ registered: s.anyNumber, active: s.anyNumber }),
  referrals: s.listOf(
    s.object({ joinedAt: s.isoTime, status: s.oneOf(['registered', 'active']) }),
    limits.referralsPerUserMax,
  ),
})

const referralsToWire = ({ referrals, ...book }: ReferralOverview) => ({
  ...book,
  referrals: referrals.map(({ joinedAtMs, status }) => ({ joinedAt: s.toIso(joinedAtMs), status })),
})

export const user = resource('/user', {
  about: 'Your own account and your referrals.',
  get: get('/', {
    who: { user: true },
    summary: 'Your account',
    out: ProfileOut,
  }).handledBy((call, services) => profileToWire(services.profile.get(call.caller))),
  change: patch('/', {
    who: { user: true },
    summary: 'Change your name, or request another e-mail address',
    example: { name: 'Ada Lovelace' },
    body: s.patchOf(ProfileIn),
    out: ProfileOut,
    message: 'Account changed',
  }).handledBy(async ({ caller, body, expectedRevision }, { profile }) =>
    profileToWire(await profile.change(caller, body, expectedRevision)),
  ),
  changePreferences: patch('/preferences', {
    who: { user: true },
    summary: 'Change what you arranged in the console for yourself',
    description:
      '`GET /auth/session` has what holds. A list that is given takes the place of the former.',
    example: {
      views: [{ orgId: 'org_01jcx0q2w5hgt0m3d9n8b7v6c5', name: 'Down', query: 'state=down' }],
    },
    body: s.patchOf(PreferencesOut),
    out: PreferencesOut,
    message: 'Preferences changed',
  }).handledBy(({ caller, body }, { profile }) => profile.changePreferences(caller, body)),
  organizations: list('/organizations', {
    who: { user: true },
    summary: 'Your organizations',
    out: OrganizationOut,
  }).handledBy(({ caller, page }, { orgs }) =>
    wirePage(orgs.list(caller, page), organizationToWire),
  ),
  referrals: get('/referrals', {
    who: { user: true },
    summary: 'Your referral code and its sign-ups',
    out: ReferralsOut,
  }).handledBy(({ caller }, { referrals }) => referralsToWire(referrals.of(caller))),
  changeReferralCode: post('/referrals/code', {
    who: { user: true },
    summary: 'Replace your referral code with a chosen or generated one; the old one stops working',
    example: { code: 'ada-recommends' },
    body: s.object({
      code: s.optional(
        documented(
          s.text({
            charsMin: 1,
            charsMax: limits.nameCharsMax,
            description: '4 to 32 characters: a-z, 0-9 and single inner hyphens',
          }),
          {
            pattern: '^\\s*[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*\\s*$',
            'x-rule': 'must be letters, digits and single inner hyphens',
          },
        ),
      ),
    }),
    out: CodeOut,
    message: 'Referral code changed',
  }).handledBy(({ caller, body }, { referrals }) => referrals.changeCode(caller, body)),
  remove: del('/', {
    who: { user: true, sudo: true },
    summary: 'Delete your account; first hand over or delete the organizations that only you own',
    message: 'Account deleted',
  }).handledBy(async ({ caller }, { departures, baseUrl }) => {
    await departures.removeUser(caller)
    return answer(null, { headers: [sessionCookie(null, baseUrl)] })
  }),
})
