// Planned work.
import { counted } from '../model/plural.ts'

export const maintenance = {
  title: 'Maintenance',
  add: 'Plan maintenance',
  change: 'Change the maintenance',
  calendar: 'The next five weeks',
  empty: {
    title: 'Nothing is planned',
    about: 'During planned work checks go on, but nobody is alerted and uptime does not count.',
  },
  states: { active: 'Now', scheduled: 'Planned', ended: 'Over' },
  public: 'public',
  everything: 'All monitors',
  end: 'End it now',
  endedNow: 'It ended.',
  extend: '30 minutes more',
  extended: 'It takes 30 minutes more.',
  cancelNext: 'Skip the next one',
  cancelled: 'The next one is skipped.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteAbout: 'Checks count and alert again at once, if it is on.',
  deleted: (name: string) => `${name} was deleted.`,
  name: 'Name',
  recurring: 'It recurs',
  cron: 'Schedule (cron)',
  cronHelp: 'Minute, hour, day, month, weekday: 0 3 * * 0 is Sunday at 3.',
  duration: 'Takes',
  timezone: 'Time zone',
  from: 'From',
  to: 'To',
  monitors: 'Monitors',
  tags: 'Tags',
  zones: {
    own: (zone: string) => `These times are in ${zone}, your time zone.`,
    organization: (zone: string, from: string, to: string) =>
      `In ${zone}, the time zone of the organization: ${from} to ${to}.`,
    scheduleOwn: (zone: string) => `The schedule is in ${zone}, your time zone.`,
    schedule: (zone: string, there: string, own: string, here: string) =>
      `The schedule is in ${zone}: it is ${there} there now. In your time zone, ${own}, it is ${here}.`,
  },
  scope: {
    which: 'Which monitors',
    kinds: {
      monitors: 'Chosen monitors',
      tags: 'Monitors with tags',
      both: 'Chosen monitors, and monitors with tags',
      all: 'All monitors',
    },
    tagsHelp: 'Such as shop, database. Monitors that get one of these tags later are covered too.',
    covers: counted('It covers # monitor now', 'It covers # monitors now', 'en'),
    coversNone: 'It covers no monitor now.',
    more: counted('and # more', 'and # more', 'en'),
    allAbout: 'Monitors that are made later are covered too.',
    question: {
      title: counted('Silence # monitor?', 'Silence all # monitors?', 'en'),
      about:
        'While the maintenance is on, no incident opens and no alert is sent, for any monitor of the organization.',
      button: 'Silence all monitors',
    },
  },
  description: 'Description',
  isPublic: 'Show it on status pages',
  silence: {
    button: 'Silence 1 h',
    about: 'Checks go on, but nobody is alerted for an hour',
    name: (monitor: string) => `${monitor}: silenced`,
    done: 'Silenced for an hour.',
    undone: 'No longer silenced.',
  },
}
