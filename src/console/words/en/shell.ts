// The frame of the console: navigation, palette, sign-in.
import { counted } from '../model/plural.ts'

const alertsWait = counted('# alert waits', '# alerts wait', 'en')
const failingChannels = counted('on a channel that fails', 'on # channels that fail', 'en')

export const shell = {
  product: 'stillup',
  navigation: 'Main',
  skip: 'Skip to the content',
  places: {
    overview: 'Overview',
    incidents: 'Incidents',
    maintenance: 'Maintenance',
    channels: 'Channels',
    pages: 'Status pages',
    people: 'People',
    system: 'System',
    profile: 'Profile',
  },
  troubles: {
    label: 'Channels that alerts do not reach',
    channels: counted(
      '# channel that alerts do not reach',
      '# channels that alerts do not reach',
      'en',
    ),
    waiting: (alerts: number, channels: number) =>
      `${alertsWait(alerts)} ${failingChannels(channels)}:`,
    more: counted('and # more', 'and # more', 'en'),
    nextTry: 'Next attempt:',
    soon: 'now',
  },
  organization: 'Organization',
  moved: (name: string) => `This belongs to “${name}”. The tab now shows that organization.`,
  notMember: (name: string) =>
    `The link leads to an organization that you are not a member of. The tab shows “${name}”.`,
  menu: 'Menu',
  theme: { label: 'Appearance', auto: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  language: 'Language',
  signOut: 'Sign out',
  apiReference: 'API reference',
  live: { connecting: 'Connecting', live: 'Live', lost: 'Connection lost. Trying again.' },
  signIn: {
    title: 'Sign in',
    expired: 'Your session ended. Sign in to go on where you were; nothing is lost.',
    confirm: 'This needs your password once more.',
    confirmEither: 'This needs your password or a code of your second factor once more.',
    nowSignedIn: (email: string) => `You are signed in as ${email}.`,
    email: 'E-mail address',
    password: 'Password',
    code: 'Code of your second factor',
    codeNeeded: 'Enter the code of your app, or a recovery code',
    wrong: 'The e-mail address or the password is wrong',
    wrongPassword: 'The password is wrong',
    wrongCode: 'The code is wrong, or it was used before',
    submit: 'Sign in',
    confirmSubmit: 'Confirm',
    otherWays: 'Other ways to sign in',
  },
  palette: {
    title: 'Commands',
    hint: 'Type a command, or the name of a monitor',
    nothing: 'Nothing fits',
    newMonitor: 'Add a monitor',
    goTo: (place: string) => `Go to ${place}`,
  },
  help: {
    title: 'Keyboard',
    keys: {
      palette: 'Commands',
      search: 'Search',
      help: 'This help',
      down: 'Next row',
      up: 'Previous row',
      open: 'Open the row',
      close: 'Close',
      run: 'Check now',
      silence: 'Silence 1 h',
      edit: 'Edit',
      clone: 'Clone',
    },
    onMonitor: 'On the page of a monitor',
  },
  notFound: { title: 'There is no such page', home: 'To the overview' },
  noOrganization: {
    title: 'You are in no organization yet',
    about: 'Make one, or open the link of an invitation.',
  },
  newOrganization: {
    open: 'Make another organization',
    name: 'Name of the organization',
    submit: 'Make the organization',
    endsPrivate:
      'While this service has one organization, it keeps what failed targets at private addresses answer: ' +
      'headers, bodies, output. With a second one, it stops keeping them, for both. ' +
      'If both belong to one company, the operator can first set checks.keepPrivateAnswers to "always".',
  },
}
